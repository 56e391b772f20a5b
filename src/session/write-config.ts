import { dirname } from 'node:path';
import { makeFolder } from '../files/folders.ts';
import { writeAtomically } from '../files/write-aside.ts';
import type { ConfigFile } from './config-file.ts';

/** The contents of a file of profiles, or a part of them. */
export type Json = Record<string, unknown>;

/**
 * Writes a file of profiles that was changed, with the indent and the line ends that it has; `mode` is its
 * mode, else it keeps its own. Answers the file and its text. Throws StopError where that can't be written.
 */
export async function writeConfig(
  file: string,
  before: Pick<ConfigFile, 'text'> | undefined,
  changed: Json,
  mode: number | undefined,
): Promise<Pick<ConfigFile, 'file' | 'text'>> {
  const { text = '' } = before ?? {};
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? 2;
  const lines = `${JSON.stringify(changed, null, indent)}\n`;
  const written = text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
  makeFolder(dirname(file));
  const { place } = await writeAtomically(file, async (stream) => void stream.write(written), { mode });
  return { file: place, text: written };
}
