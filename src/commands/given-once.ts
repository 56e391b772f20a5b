import { t } from '../core/language.ts';
import { wrongUsage } from './usage.ts';

/** What yargs tells a check of the flags that a command has; its types leave it out. */
interface KnownFlags {
  readonly array: readonly string[];
  readonly key: Readonly<Record<string, unknown>>;
}

/** Throws StopError for a flag that takes one value and is given twice: which of them is meant is anybody's guess. */
export function givenOnce(flags: Readonly<Record<string, unknown>>, options: unknown): true {
  const { array, key } = options as KnownFlags;
  const twice = Object.keys(key).find((name) => Array.isArray(flags[name]) && !array.includes(name));
  if (twice === undefined) return true;
  throw wrongUsage(
    t(
      `--${twice} is given more than once, and takes one value.`,
      `--${twice} is meer dan eens gegeven, en krijgt één waarde.`,
    ),
  );
}
