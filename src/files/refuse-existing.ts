import { stat } from 'node:fs/promises';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';

/** Throws StopError with EXIT.usage where a file of that name is there already: a workbook to be filled in or looked at. */
export async function refuseExisting(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  // A link stands for the file that it leads to. What is no file is refused in the words of whoever writes.
  if (there?.isFile() !== true) return;
  throw new StopError(
    EXIT.usage,
    t(
      `${file} is there already and may have been filled in; it is not overwritten.`,
      `${file} bestaat al en is misschien ingevuld; het wordt niet overschreven.`,
    ),
    {
      next: t(
        'Name another file with --out, or delete this one.',
        'Noem een ander bestand met --out, of verwijder dit.',
      ),
    },
  );
}
