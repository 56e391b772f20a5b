import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface BoxProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

const ICONS = { plain: undefined, good: 'check', warn: 'warning', bad: 'warning' } as const;

/** Something to know, set apart by its tone. */
export function Box({ tone = 'plain', icon = ICONS[tone], children }: BoxProps): JSX.Element {
  return (
    <div class={`box ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      <div>{children}</div>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Stands where there is nothing to list, and says what would bring something. */
export function EmptyState({ title, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
