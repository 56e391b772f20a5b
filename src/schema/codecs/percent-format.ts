const known = new Map<string, boolean>();

/** Whether a number format shows hundredths with a percent sign; a sheet has few formats, each is looked at once. */
export function isPercentFormat(format: string): boolean {
  let percent = known.get(format);
  if (percent === undefined) {
    percent = format.replace(/"[^"]*"?|[\\_*]./g, '').includes('%');
    known.set(format, percent);
  }
  return percent;
}
