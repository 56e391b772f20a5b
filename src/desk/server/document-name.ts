import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { cleanName } from './clean-name.ts';

/** The name of the file that a path ends with, whatever system the path is of. */
const lastName = (path: string): string => path.normalize('NFC').trim().split(/[\\/]/).at(-1)?.trim() ?? '';

/** The name that a brought document is kept under. Throws StopError for one that would not stay whole. */
export function documentName(given: string): string {
  const name = cleanName(given);
  if (name.length === lastName(given).length) return name;
  throw new StopError(
    EXIT.usage,
    t('The name of this document is too long, or odd.', 'De naam van dit document is te lang, of vreemd.'),
    {
      next: t(
        'Give it a plain name of at most 120 characters, in the sheet too.',
        'Geef het een gewone naam van hoogstens 120 tekens, ook in het werkblad.',
      ),
    },
  );
}

/** Files that rows name by the same name, and by which paths. */
interface NameUse {
  readonly names: Set<string>;
  readonly paths: Set<string>;
}

/** What files rows name, by their names: which of those that were brought is meant. */
export class NamedByRows {
  private readonly uses = new Map<string, NameUse>();
  private readonly brought: ReadonlySet<string>;

  constructor(named: Iterable<string>, brought: Iterable<string>) {
    this.brought = new Set(brought);
    for (const one of named) {
      const name = cleanName(lastName(one));
      const use = this.uses.get(fold(name)) ?? { names: new Set(), paths: new Set() };
      this.uses.set(fold(name), use);
      use.names.add(name);
      use.paths.add(pathOf(one));
    }
  }

  /**
   * The brought file that a row means by what stands in its cell; `several`: rows name other files by the
   * same name, and which of them was brought nobody can tell.
   */
  find(named: string): { readonly name: string } | 'missing' | 'several' {
    if (lastName(named) === '' || /^\.+$/.test(lastName(named))) return 'missing';
    const name = cleanName(lastName(named));
    const use = this.uses.get(fold(name));
    const paths = use?.paths ?? new Set([pathOf(named)]);
    if (new Set([...paths].map(fold)).size > 1) return 'several';
    if (this.brought.has(name)) return { name };
    // Names that differ in their capitals alone may be of two files.
    if ((use?.names.size ?? 1) > 1) return 'missing';
    const alike = [...this.brought].filter((one) => fold(one) === fold(name));
    const [only] = alike;
    return alike.length === 1 && only !== undefined ? { name: only } : 'missing';
  }
}

const fold = (text: string): string => text.toLowerCase();

const pathOf = (named: string): string =>
  named
    .normalize('NFC')
    .trim()
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
