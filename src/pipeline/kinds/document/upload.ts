import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import type { WriteAnswer } from '../../../schema/answer.ts';
import type { DocumentResource } from '../../../schema/command-resources.ts';
import type { Step } from '../../../schema/plan.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { RequestError } from '../../../service/request-error.ts';
import type { Context } from '../../context.ts';
import type { ResolvedStep } from '../kind.ts';
import { goneText, tooLargeText } from './texts.ts';

/** What people send to events; anything else goes as plain bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.txt': 'text/plain',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** A text holds no more; of what goes as text all of it is in memory. */
const LONGEST_TEXT = 256 * 1024 * 1024;

/** What a step calls its file; one that was planned before files had names goes by its path. */
export const CALLED = 'name';

/** The name that a file goes by. */
export const calledIn = (params: Step['params'], path: string): string =>
  String(params?.[CALLED] ?? basename(path)).normalize('NFC');

/** Sends a file: piece by piece as it is read from disk, unless the service takes only text. Throws RequestError. */
export async function upload(
  { service, dialect }: Context,
  resource: DocumentResource,
  { body, params }: ResolvedStep,
): Promise<WriteAnswer> {
  const { event, folder, requests } = resource;
  const path = String(body[resource.file]);
  const place = { PartijID: Number(body[event]), Submap: String(body[folder]) };
  const name = calledIn(params, path);
  const type = TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
  const blob = await openAsBlob(path, { type }).catch((cause: unknown) => {
    throw notSent(resource, goneText, cause);
  });
  if (dialect.upload === 'base64') {
    if (blob.size > LONGEST_TEXT) throw notSent(resource, tooLargeText);
    const Document = Buffer.from(await blob.arrayBuffer()).toString('base64');
    return await service.send(requests.uploadAsText, { body: { ...place, Document } });
  }
  const Document = new File([blob], name, { type });
  return await service.send(requests.upload, { body: { ...place, Document } });
}

function notSent({ requests }: DocumentResource, reason: Bilingual, cause?: unknown): RequestError {
  const nothing = { status: null, words: null, fields: {}, attempts: 0, mayHaveTakenEffect: false };
  return new RequestError({ kind: 'refused', endpoint: requests.upload.name, reason, ...nothing, cause });
}
