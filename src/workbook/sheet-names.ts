const LONGEST = 31;

/** A name that Excel accepts for a sheet, different from those taken (in lower case), to which it is added. */
export function sheetName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[\\/?*:[\]]/g, '_')
      .replace(/^'+|'+$/g, '_')
      .trim()
      .slice(0, LONGEST) || 'Sheet';
  let unique = /^history$/i.test(plain) ? `${plain}_` : plain;
  for (let count = 2; taken.has(unique.toLowerCase()); count++) {
    const tail = ` (${count})`;
    unique = plain.slice(0, LONGEST - tail.length) + tail;
  }
  taken.add(unique.toLowerCase());
  return unique;
}

/** Whether a sheet has a name, or that name with the number that `sheetName` puts behind it. */
export function hasSheetName(sheet: string, name: string): boolean {
  return sheet.replace(/ \(\d+\)$/, '').toLowerCase() === name.toLowerCase();
}
