import { z } from 'zod';
import type { Bilingual } from '../core/language.ts';
import type { CommandName } from './commands.ts';

/** The library's functions that take options. */
export const FUNCTIONS = [
  ...([
    'importWorkbook',
    'planImport',
    'readSheets',
    'applyPlan',
    'undoRun',
    'listRuns',
    'readRun',
    'readRecord',
  ] as const),
  ...(['withdrawRun', 'pruneRuns'] as const),
  ...(['exportRecords', 'exportFinance', 'checkService', 'writeTemplate'] as const),
  ...(['uploadDocuments', 'fetchInvoices', 'refreshEvents', 'refreshEventIds', 'sendOrders'] as const),
] as const;
/** See `FUNCTIONS`. */
export type FunctionName = (typeof FUNCTIONS)[number];

/** One option of a command, of a function of the library, or of both. */
export interface Option {
  /** Its name in the library, where the table's key is taken by another. */
  readonly name?: string;
  /** Its name on the command line, in camel case, where that differs. */
  readonly flag?: string;
  /** The type in the library. */
  readonly type: z.ZodType;
  /** The type on the command line, where that differs. */
  readonly typed?: z.ZodType;
  /** Its value in docs, where that is no FILE, number or choice. */
  readonly placeholder?: string;
  /** One letter. */
  readonly alias?: string;
  readonly help: Bilingual;
  /** The value of a flag that is not given, filled in by the command line itself; of a switch false. */
  readonly initial?: boolean | string | number | readonly string[] | (() => boolean);
  /** The default that is filled in later; help shows it in brackets. */
  readonly otherwise?: Bilingual | string | number;
  /** Never left out. */
  readonly required?: true;
  /** May stand in a profile too. */
  readonly inProfile?: true;
  /** A profile may hold it in a working folder that nobody trusted: it sends nothing, to nobody. */
  readonly harmless?: true;
  /** The title that help lists it under; absent: the command's own. */
  readonly group?: 'output' | 'run' | 'service' | 'reading';
  readonly commands: readonly CommandName[];
  readonly functions: readonly FunctionName[];
}

/** Makes options that these commands and functions take. */
export const takenBy =
  <const C extends readonly CommandName[], const F extends readonly FunctionName[]>(
    commands: C,
    functions: F,
  ) =>
  <T extends z.ZodType, const More extends Omit<Option, 'type' | 'help' | 'commands' | 'functions'> = object>(
    type: T,
    help: Bilingual,
    more?: More,
  ) => ({ ...(more as More), type, help, commands, functions });

/** The kind of a type without its wrapping: `string`, `number`, `boolean`, `enum`, `array`, … */
export function kindOf(type: z.ZodType): string {
  return type instanceof z.ZodReadonly ? kindOf(type.unwrap() as z.ZodType) : type.def.type;
}

/** The choices of a type; undefined where it takes any value. */
export function choicesOf(type: z.ZodType): readonly string[] | undefined {
  return type instanceof z.ZodEnum ? (type.options as string[]) : undefined;
}

/** A flag without its dashes: `dry-run`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The value of an option that is not given. */
export function initialOf({ initial, type, typed = type }: Option): unknown {
  if (typeof initial === 'function') return initial();
  return initial ?? (kindOf(typed) === 'boolean' ? false : undefined);
}
