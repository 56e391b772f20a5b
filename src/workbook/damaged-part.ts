/** A part of a workbook that can't be read; the caller, who knows the sheet and the file, makes a StopError of it. */
export class DamagedPart extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DamagedPart';
  }
}
