import type { ComponentChildren } from 'preact';
import { hrefOf, type Place } from '../router.ts';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** `primary`: what a screen is for, once on it; `danger`: what can't be taken back; `real`: sends. */
  readonly look?: 'primary' | 'danger' | 'real' | 'plain' | undefined;
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children?: ComponentChildren;
}

/** How a button is, whatever it does. */
export interface ButtonProps extends Look {
  readonly onClick?: () => unknown;
  readonly submit?: boolean;
  /** It does what it was asked: it can't be pressed again meanwhile, and keeps its place and the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** What is read out where its text alone would not say it. */
  readonly label?: string;
}

const classOf = ({ look, small, children }: Look): string =>
  ['button', look, small && 'small', children === undefined && 'cross'].filter(Boolean).join(' ');

const inner = ({ icon, children }: Look) => (
  <>
    {icon !== undefined && <Icon name={icon} />}
    {children !== undefined && <span>{children}</span>}
  </>
);

/** A button. One that is busy or not to be used says so, and stays where the focus can find it. */
export function Button(props: ButtonProps) {
  const { onClick, submit = false, busy = false, disabled = false, pressed, label } = props;
  const off = busy || disabled;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={classOf(props)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      aria-label={label}
      title={props.children === undefined ? label : undefined}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.();
      }}
    >
      {inner(props)}
    </button>
  );
}

interface ChipProps {
  readonly on: boolean;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

/** One of some choices beside each other, which stays pressed. */
export const Chip = ({ on, onPress, children }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={on} onClick={onPress}>
    {children}
  </button>
);

interface LinkProps extends Look {
  /** Another place of the page, or the address of a file. */
  readonly to: Place | string;
  /** It is shown in a tab of its own, not saved. */
  readonly shown?: boolean;
}

/** A link that looks like a button: to another place of the page, or to a file. */
export function ButtonLink({ to, shown = false, ...look }: LinkProps) {
  const href = typeof to === 'string' ? to : hrefOf(to);
  return (
    <a class={classOf(look)} href={href} target={shown ? '_blank' : undefined}>
      {inner(look)}
    </a>
  );
}
