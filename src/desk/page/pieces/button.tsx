import type { ComponentChildren, JSX } from 'preact';
import type { Place } from '../router.ts';
import { hrefOf } from '../router.ts';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** `primary`: what a screen is for, once on it; `danger`: what can't be taken back; `real`: sends. */
  readonly look?: 'primary' | 'danger' | 'real' | 'plain' | undefined;
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children: ComponentChildren;
}

interface ButtonProps extends Look {
  readonly onClick?: () => unknown;
  readonly submit?: boolean;
  /** It does what it was asked: it can't be pressed again meanwhile, and keeps its place and the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** What is read out where its text alone would not say it. */
  readonly label?: string;
  readonly describedBy?: string;
}

const classOf = ({ look, small }: Pick<Look, 'look' | 'small'>): string =>
  ['button', look ?? '', small === true ? 'small' : ''].filter(Boolean).join(' ');

/** A button. One that is busy or not to be used says so, and stays where the focus can find it. */
export function Button(props: ButtonProps): JSX.Element {
  const { icon, children, onClick, submit = false, busy = false, disabled = false, pressed } = props;
  const off = busy || disabled;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={classOf(props)}
      aria-disabled={off ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-pressed={pressed}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface LinkProps extends Look {
  readonly to: Place;
}

/** A link to another place of the page that looks like a button. */
export function ButtonLink({ to, icon, children, ...look }: LinkProps): JSX.Element {
  return (
    <a class={classOf(look)} href={hrefOf(to)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}

interface DownloadProps extends Look {
  /** The address of the file, as `addressOf` makes it. */
  readonly href: string;
}

/** A link that saves a file. */
export function DownloadLink({ href, icon = 'download', children, ...look }: DownloadProps): JSX.Element {
  return (
    <a class={classOf(look)} href={href} download="">
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  );
}
