import type { ComponentChildren } from 'preact';
import { say } from '../language.ts';
import { useAttempt } from '../live.ts';
import { hrefOf } from '../router.ts';

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
interface ButtonProps extends Look {
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
  /** The path of another place of the page. */
  readonly to: string;
}

/** A link that looks like a button. */
export const ButtonLink = ({ to, ...look }: LinkProps) => <a href={hrefOf(to)} {...lookOf(look)} />;

/** Drawn on a field of 16 by 16, in strokes. */
const DRAWN = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
  up: 'M3 10l5-5 5 5',
  file: 'M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3',
  sheet: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.2 3v10',
  drop: 'M8 10.5v-8M4.7 5.6 8 2.4l3.3 3.2M2.5 10v3.5h11V10',
  download: 'M8 2.5v8M4.7 7.3 8 10.5l3.3-3.2M2.5 10.5v3h11v-3',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.4',
  play: 'M5 3.2v9.6l7.5-4.8z',
  undo: 'M5.5 3 2.5 6l3 3M2.7 6h6.6a4 4 0 0 1 0 8H6',
} as const;

type IconName = keyof typeof DRAWN;

/** A small drawing beside a text, which says the same: it is not read out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={DRAWN[name]} />
    </svg>
  );
}
