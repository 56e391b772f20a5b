import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { exportDocument } from '../../api/documents.ts';
import { exportIn, financeIn } from '../../api/export.ts';
import { exportsNamed } from '../../api/known-kinds.ts';
import { onPage } from '../../core/language.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import type { Session } from '../../session/open-session.ts';
import { type JobDocument, serviceDocument } from '../contract/documents.ts';
import { ROUTES } from '../contract/routes.ts';
import { isSameService } from '../contract/same-service.ts';
import type { Desk } from './desk.ts';
import type { JobWork } from './jobs.ts';

const about = { name: z.string(), title: z.string(), workers: z.boolean() };
const askedExport = z.discriminatedUnion('kind', [
  z.object({
    ...about,
    kind: z.literal('export'),
    body: ROUTES.makeExport.body.extend({ file: z.string().nullable() }),
  }),
  z.object({ ...about, kind: z.literal('finance'), body: ROUTES.makeFinance.body }),
]);

/** An export that was asked for: what it is called, and of what it is. */
type AskedExport = z.output<typeof askedExport>;

/** One that workers have, as it is kept: with the name of its job there, and the service that it is of. */
const handedOver = z.object({ job: z.string(), service: serviceDocument, asked: askedExport });

type HandedOver = z.output<typeof handedOver>;

/** Begins to make an export, or has workers make it; `before`: it was handed over, and is followed again. */
export function beginExport(desk: Desk, asked: AskedExport, before?: HandedOver): JobDocument {
  let job = before?.job;
  const withdraw = async (): Promise<void> =>
    await desk.users.during(async () => {
      if (job !== undefined) await (await desk.runs.queued())?.withdrawExport(job);
    });
  const known = { title: asked.title, ...(asked.workers && { withdraw }) };
  return desk.jobs.start(asked.kind, known, async (work) => {
    const out = join(desk.madeFolder, `${work.id}-${asked.name}`);
    const service = before?.service ?? desk.service;
    let isOver = false;
    let told: JobDocument['workers'] = null;
    const looked = (now: string, name: string): void => {
      if (job === undefined) keep(desk, [...kept(desk), { job: name, service, asked }]);
      job = name;
      isOver = now === 'stopped' || now === 'withdrawn' || now === 'unknown';
      const at = now === 'waiting' ? 'waiting' : 'working';
      if (at !== told) work.tell({ workers: at });
      told = at;
    };
    const followed = asked.workers ? { followed: { looked, joins: before?.job } } : {};
    try {
      await desk.inSession(undefined, (session) => made(desk, session, { asked, out, followed }, work), work);
      isOver = true;
    } finally {
      if (isOver && job !== undefined)
        keep(
          desk,
          kept(desk).filter((one) => one.job !== job),
        );
    }
  });
}

interface Making {
  readonly asked: AskedExport;
  readonly out: string;
  readonly followed: Parameters<typeof exportIn>[3];
}

async function made(desk: Desk, session: Session, { asked, out, followed }: Making, work: JobWork) {
  const { language } = desk;
  const queue = asked.workers ? { queue: true } : {};
  if (asked.kind === 'finance') {
    const { from, to, all } = asked.body;
    const options = { from, to, all, out, overwrite: true, ...queue };
    const result = await financeIn(session, options, followed);
    await tellMade(work, out, asked.name);
    work.tell({ answer: { kind: 'finance', document: financeDocument(result, language, onPage) } });
    return;
  }
  const { what, from, to, since, file, definitive, declaration, format, ids } = asked.body;
  const options = {
    ...{ out, format, ids, overwrite: true, ...queue },
    ...given({ from, to, since, file }),
    ...(definitive ? { definitive } : {}),
    ...(declaration ? { declaration } : {}),
  };
  const result = await exportIn(session, exportsNamed(what), options, followed);
  await tellMade(work, out, asked.name);
  work.tell({ answer: { kind: 'export', document: exportDocument(result, language, onPage) } });
}

/** Who could not follow an export rests so long, ms. */
const REST = 10_000;

/** Follows exports of the service in use that workers have, unless that is being done. */
export function followExports(desk: Desk): void {
  const jobs = desk.jobs.list();
  for (const one of kept(desk)) {
    if (!isSameService(one.service, desk.service)) continue;
    const last = jobs.find(({ kind, title }) => kind === one.asked.kind && title === one.asked.title);
    const isRested = Date.now() - Date.parse(last?.endedAt ?? '') > REST;
    if (last === undefined || isRested) beginExport(desk, one.asked, one);
  }
}

function kept(desk: Desk): HandedOver[] {
  try {
    return z.array(handedOver).parse(JSON.parse(readFileSync(desk.handedOverFile, 'utf8')));
  } catch {
    return [];
  }
}

function keep({ handedOverFile }: Desk, all: readonly HandedOver[]): void {
  const aside = `${handedOverFile}.new`;
  writeFileSync(aside, JSON.stringify(all), { mode: PRIVATE, flush: true });
  renameSync(aside, handedOverFile);
}

/** Those of the options that are given. */
export function given<T extends Record<string, string | null>>(options: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
}

/** Tells of the file that a job made. */
export async function tellMade(work: JobWork, path: string, name: string): Promise<void> {
  const { size } = await stat(path);
  work.made({ name: basename(name), path, bytes: size });
}
