import { z } from 'zod';
import { t } from '../core/language.ts';
import { type Option, takenBy } from './option.ts';

const text = z.string();
const truth = z.boolean();

const serving = takenBy(['sandbox'], []);

/** The options of the commands that ask nothing of a service. */
export const OWN_OPTIONS = {
  port: serving(z.int().min(0).max(65_535), t('Port on 127.0.0.1', 'Poort op 127.0.0.1'), {
    placeholder: 'N',
    otherwise: t('a free one', 'een vrije'),
  }),
  data: serving(
    text,
    t(
      'Where the company is kept; :memory: keeps nothing',
      'Waar het bedrijf bewaard wordt; :memory: bewaart niets',
    ),
    { placeholder: 'FILE' },
  ),
  latency: serving(
    z.int().min(0).max(600_000),
    t('How long every answer takes, ms', 'Hoe lang elk antwoord duurt, ms'),
    { placeholder: 'MS', initial: 0 },
  ),
  pageSize: serving(z.int().min(1).max(10_000), t('Products on a page', 'Producten op een pagina'), {
    placeholder: 'N',
    otherwise: 100,
  }),
  externalId: serving(
    z.enum(['update', 'create', 'never']),
    t('Which request stores ExternalID', 'Welk verzoek ExternalID bewaart'),
    { initial: 'update' },
  ),
  deskPort: takenBy(['desk'], [])(z.int().min(0).max(65_535), t('Port on 127.0.0.1', 'Poort op 127.0.0.1'), {
    name: 'port',
    placeholder: 'N',
    otherwise: t('4747, else a free one', '4747, anders een vrije'),
  }),
  open: takenBy(['desk'], [])(
    truth,
    t('Open the browser (--no-open: only the address)', 'Open de browser (--no-open: alleen het adres)'),
    { initial: true },
  ),
  shortcut: takenBy(['desk'], [])(
    truth,
    t(
      'Put a starter on your desktop, to open the page by a double-click; nothing is started now',
      'Zet een snelkoppeling op je bureaublad, die de pagina opent met een dubbelklik; er wordt nu niets gestart',
    ),
  ),
  withdraw: takenBy(['runs'], [])(
    truth,
    t(
      'Take the run back from workers: what is on its way is awaited, the rest is not sent',
      'Haal de run terug bij workers: op wat onderweg is wordt gewacht, de rest wordt niet verstuurd',
    ),
  ),
  olderThan: takenBy(['runs'], ['pruneRuns'])(
    z.int().min(30).max(36_500),
    t(
      'With prune: days after which a run is old; a plan that was not sent is after 100 at most',
      'Met prune: na hoeveel dagen een run oud is; een plan dat niet verstuurd is na hoogstens 100',
    ),
    { placeholder: 'DAYS', otherwise: 365 },
  ),
  drain: takenBy(['worker'], [])(truth, t('End when nothing waits any more', 'Stop als er niets meer wacht')),
  metrics: takenBy(['worker'], [])(
    z.int().min(0).max(65_535),
    t(
      'Port on 127.0.0.1 where Prometheus finds figures, at /metrics',
      'Poort op 127.0.0.1 waar Prometheus cijfers vindt, op /metrics',
    ),
    { placeholder: 'PORT' },
  ),
} satisfies Readonly<Record<string, Option>>;
