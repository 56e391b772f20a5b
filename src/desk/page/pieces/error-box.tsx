import type { ComponentChildren } from 'preact';
import { say } from '../language.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface BoxProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad';
  /** How it is read out; what is bad at once. */
  readonly role?: 'status' | 'group';
  readonly children: ComponentChildren;
}

const ICONS: Readonly<Record<string, IconName>> = { good: 'check', warn: 'warning', bad: 'warning' };

/** Something to know, set apart by its tone. */
export function Box({ tone = 'plain', role, children }: BoxProps) {
  const icon = ICONS[tone];
  return (
    <div class={`box ${tone}`} role={role ?? (tone === 'bad' ? 'alert' : undefined)}>
      {icon !== undefined && <Icon name={icon} />}
      <div>{children}</div>
    </div>
  );
}

/** What went wrong, by what the server or a job says of it. */
export interface Wrong {
  readonly message: string;
  readonly next: string | null;
  /** The HTTP status, where there is one; 0: the server is not there. */
  readonly status?: number;
}

/** What went wrong in words. */
const wrongText = ({ status, message, next }: Wrong): string =>
  [
    status === 0
      ? say(
          'catersheet doesn’t answer. Nothing is lost: what was done is kept.',
          'catersheet antwoordt niet. Er is niets kwijt: wat gedaan is, is bewaard.',
        )
      : message ||
        say(
          'catersheet met a fault of its own. The terminal that it runs in says more.',
          'catersheet liep op een fout van zichzelf. De terminal waarin het draait, zegt er meer over.',
        ),
    next ?? '',
  ]
    .join(' ')
    .trim();

interface ErrorProps {
  /** Nothing is shown for null. */
  readonly error: Wrong | null;
  readonly onRetry?: (() => void) | undefined;
}

/** What went wrong, where it did, with the way out. */
export function ErrorBox({ error, onRetry }: ErrorProps) {
  if (error === null) return null;
  return (
    <Box tone="bad">
      <p>{wrongText(error)}</p>
      {onRetry !== undefined && (
        <Button small onClick={onRetry}>
          {say('Try again', 'Opnieuw proberen')}
        </Button>
      )}
    </Box>
  );
}
