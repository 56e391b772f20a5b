import { z } from 'zod';
import type { Bilingual } from '../core/language.ts';
import type { CommandName } from './commands.ts';

/** The library's functions that take options. */
export const FUNCTIONS = [
  ...(['importWorkbook', 'planImport', 'applyPlan', 'undoRun', 'listRuns', 'readRun'] as const),
  ...(['exportRecords', 'exportFinance', 'checkService', 'writeTemplate'] as const),
  ...(['uploadDocuments', 'fetchInvoices', 'refreshEvents', 'refreshEventIds', 'sendOrders'] as const),
] as const;
/** See `FUNCTIONS`. */
export type FunctionName = (typeof FUNCTIONS)[number];

/** One thing that a command, a function of the library, or both can be told. */
export interface Option {
  /** What the library calls it, where the table's key is taken by another. */
  readonly name?: string;
  /** What the command line calls it, in camel case, where that is another word. */
  readonly flag?: string;
  /** What the library takes. */
  readonly type: z.ZodType;
  /** What the command line takes, where that is written otherwise. */
  readonly typed?: z.ZodType;
  /** What stands for its value in help, such as FILE; none for a switch. */
  readonly placeholder?: string;
  /** One letter. */
  readonly alias?: string;
  readonly help: Bilingual;
  /** The same in the words of one command. */
  readonly helpFor?: { readonly [Command in CommandName]?: Bilingual };
  /** What a flag is where it is not given, filled in by the command line itself. */
  readonly initial?: boolean | string | number | readonly string[] | (() => boolean);
  /** What counts where nothing is said, filled in later; help says it in brackets. */
  readonly otherwise?: Bilingual | string | number;
  /** The commands below which it can't be left out. */
  readonly required?: true;
  /** How the command line tells its value from the next flag: a `-` counts as one, or there must be one. */
  readonly value?: 'dash' | 'some';
  /** One of the few that the README shows. */
  readonly short?: true;
  /** Under which title help lists it; beside the command's own where absent. */
  readonly group?: 'output' | 'service' | 'what';
  readonly commands: readonly CommandName[];
  readonly functions: readonly FunctionName[];
}

/** Says of options which commands and functions take it. */
export const takenBy =
  <const C extends readonly CommandName[], const F extends readonly FunctionName[]>(
    commands: C,
    functions: F,
  ) =>
  <T extends z.ZodType, const More extends Omit<Option, 'type' | 'help' | 'commands' | 'functions'>>(
    type: T,
    help: Bilingual,
    more: More,
  ) => ({ ...more, type, help, commands, functions });

/** What a value is, below what is wrapped around it: `string`, `number`, `boolean`, `enum`, `array`, … */
export function kindOf(type: z.ZodType): string {
  return type instanceof z.ZodReadonly ? kindOf(type.unwrap() as z.ZodType) : type.def.type;
}

/** The values that an option chooses from; undefined where it takes any. */
export function choicesOf(type: z.ZodType): readonly string[] | undefined {
  return type instanceof z.ZodEnum ? (type.options as string[]) : undefined;
}

/** A flag as it is typed, without its dashes: `dry-run`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
