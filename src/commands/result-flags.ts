/** `--report FILE`, for the commands that write a result. */
export const REPORT = {
  type: 'string',
  requiresArg: true,
  describe: 'Also write a page (.html) to hand over: counts, problems and every change',
} as const;

/** `--only problems`, for the commands that write a result. */
export const ONLY_PROBLEMS = {
  choices: ['problems'] as const,
  describe: 'What the result shows: only the rows that need work, to correct and import',
} as const;
