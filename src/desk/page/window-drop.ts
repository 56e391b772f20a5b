import { useEffect, useRef } from 'preact/hooks';

/** What a drop brings; folders and texts bring no file. */
export const filesOf = ({ dataTransfer }: DragEvent): readonly File[] => [...(dataTransfer?.files ?? [])];
const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Hears of files over and dropped on the window, so that none opens in place of the page. */
export function useWindowDrop(onOver: (isOver: boolean) => void, onDrop: (event: DragEvent) => void): void {
  const heard = useRef({ onOver, onDrop });
  heard.current = { onOver, onDrop };
  useEffect(() => {
    const ended = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      addEventListener(name, listener, { signal: ended.signal });
    on('dragover', (event) => {
      if (hasFiles(event)) heard.current.onOver(true);
    });
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) heard.current.onOver(false);
    });
    on('drop', (event) => {
      heard.current.onOver(false);
      heard.current.onDrop(event);
    });
    return () => ended.abort();
  }, []);
}

/** The files of a drop, those within folders too. */
export async function filesWithin({ dataTransfer }: DragEvent): Promise<File[]> {
  // The browser tells what was dropped only until the first wait.
  const dropped = [...(dataTransfer?.items ?? [])].flatMap(
    (item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [],
  );
  const found = dropped.map(async (one) => (one instanceof File ? [one] : await filesIn(one)));
  return (await Promise.all(found)).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await filesIn(one)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
