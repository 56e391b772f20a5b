import type { AnswerRecord, WriteAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { FileAnswer } from './open-answer.ts';
import type { SheetDefinition } from './sheet-definition.ts';

/** What an upload takes (interface 4.4): the event, a folder of it, and the file. */
export interface Upload {
  readonly PartijID: number;
  readonly Submap: string;
  readonly Document: Blob;
}

/** The same with the file as text in base64, for services that take no forms. */
export type TextUpload = Omit<Upload, 'Document'> & { readonly Document: string };

/** A sheet that serves a command of its own; an import passes it over. */
interface CommandSheet extends SheetDefinition {
  /** The command's name. */
  readonly command: string;
}

/** A sheet whose rows are about events. */
export interface AboutEvents {
  /** The field that holds the event's id, and the one, never sent, that says on which day it is. */
  readonly event: string;
  readonly day: string;
}

/** Files that are uploaded to events, each once: the ledger alone knows which (interface 4.4). */
export interface DocumentResource extends CommandSheet, AboutEvents {
  readonly kind: 'document';
  /** The field that names the folder on the service, and the one that holds the file's path here. */
  readonly folder: string;
  readonly file: string;
  readonly requests: {
    readonly upload: Endpoint<Upload, WriteAnswer>;
    readonly uploadAsText: Endpoint<TextUpload, WriteAnswer>;
    readonly find: Endpoint<unknown, AnswerRecord | null>;
  };
}

/** Events that the service is asked to refresh (interface 4.4, 6). */
export interface RefreshResource extends CommandSheet, AboutEvents {
  readonly kind: 'refresh';
  readonly requests: { readonly refresh: Endpoint<unknown, WriteAnswer> };
}

/** Files that are fetched from the service (interface 4.7). */
export interface DownloadResource extends CommandSheet {
  readonly kind: 'download';
  /** The fields that are the two segments of the path. */
  readonly id: string;
  readonly extension: string;
  /** What a file is fetched as where the row does not say. */
  readonly usual: string;
  readonly requests: { readonly file: Endpoint<unknown, FileAnswer> };
}
