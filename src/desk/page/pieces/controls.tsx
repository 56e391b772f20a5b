import type { ComponentChildren } from 'preact';
import { followLink } from '../desk.ts';
import { say } from '../language.ts';
import { useAttempt } from '../live.ts';
import { hrefOf, type Place } from '../router.ts';
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

interface ErrorProps {
  /** Nothing is shown for null. */
  readonly error: Wrong | null;
  readonly onRetry?: () => void;
}

/** What went wrong, where it did, with the way out. */
export function ErrorBox({ error, onRetry }: ErrorProps) {
  if (error === null) return null;
  const { status, message, next } = error;
  return (
    <Box tone="bad">
      <p>
        {status === 0
          ? say(
              'catersheet doesn’t answer. Nothing is lost: what was done is kept.',
              'catersheet antwoordt niet. Er is niets kwijt: wat gedaan is, is bewaard.',
            )
          : message ||
            say(
              'catersheet met a fault of its own. The terminal that it runs in says more.',
              'catersheet liep op een fout van zichzelf. De terminal waarin het draait, zegt er meer over.',
            )}{' '}
        {next}
      </p>
      {onRetry !== undefined && (
        <Button small onClick={onRetry}>
          {say('Try again', 'Opnieuw proberen')}
        </Button>
      )}
    </Box>
  );
}

interface Look {
  /** `primary`: what a screen is for, once on it; `danger`: what can't be taken back; `real`: sends; `chip`: stays pressed. */
  readonly look?: 'primary' | 'danger' | 'real' | 'plain' | 'chip' | undefined;
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children?: ComponentChildren;
}

/** How a button is, whatever it does. */
export interface ButtonProps extends Look {
  /** What takes a while keeps it busy, and what goes wrong stands beside it. */
  readonly onClick?: () => unknown;
  /** Of a form, which hears of it. */
  readonly submit?: boolean;
  /** It does what it was asked: it can't be pressed again meanwhile, and keeps its place and the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean | undefined;
  /** What is read out where its text alone would not say it. */
  readonly label?: string;
}

const lookOf = ({ look, small, icon, children }: Look) => ({
  class: ['button', look, small && 'small', children === undefined && 'cross'].filter(Boolean).join(' '),
  children: [icon && <Icon name={icon} />, children !== undefined && <span>{children}</span>],
});

/** A button. One that is busy or not to be used says so, and stays where the focus can find it. */
export function Button({ onClick, submit, busy, disabled, pressed, label, ...look }: ButtonProps) {
  const own = useAttempt();
  const isBusy = busy || own.busy;
  const off = isBusy || disabled;
  return (
    <>
      <button
        type={submit ? 'submit' : 'button'}
        aria-disabled={off || undefined}
        aria-busy={isBusy || undefined}
        aria-pressed={pressed}
        aria-label={label}
        title={look.children === undefined ? label : undefined}
        onClick={(event) => {
          if (off) event.preventDefault();
          else if (onClick !== undefined) void own.attempt(onClick);
        }}
        {...lookOf(look)}
      />
      <ErrorBox error={own.wrong} />
    </>
  );
}

interface LinkProps extends Look {
  /** Another place of the page, or the address of a file. */
  readonly to: Place | string;
  /** It is shown in a tab of its own, not saved. */
  readonly shown?: boolean;
}

/** A link that looks like a button: to another place of the page, or to a file, whichever button of the mouse presses it. */
export function ButtonLink({ to, shown, ...look }: LinkProps) {
  if (typeof to !== 'string') return <a href={hrefOf(to)} {...lookOf(look)} />;
  const target = shown ? '_blank' : '';
  const press = (event: MouseEvent): void => {
    if (event.button > 1) return;
    event.preventDefault();
    void followLink(to, target);
  };
  return <a href={to} target={target} onClick={press} onAuxClick={press} {...lookOf(look)} />;
}
