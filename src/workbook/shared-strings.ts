import { type Package, scanPart } from './package.ts';
import { RichText } from './rich-text.ts';
import { nameCode, OPEN } from './xml-scanner.ts';
import type { ZipEntry } from './zip-directory.ts';

const SI = nameCode('si');

/** The texts that cells name by number, an empty `<si/>` being an empty text. Throws DamagedPart. */
export async function readSharedStrings(source: Package, entry: ZipEntry): Promise<string[]> {
  const texts: string[] = [];
  const item = new RichText(source.limits.tokenBytes);
  let inside = false;
  await scanPart(source, entry, (scanner, token) => {
    if (inside) {
      if (!item.take(scanner, token)) return;
      inside = false;
      texts.push(item.finish());
    } else if (token === OPEN && scanner.code === SI) {
      if (scanner.selfClosing) texts.push('');
      else {
        item.begin(scanner);
        inside = true;
      }
    }
  });
  return texts;
}
