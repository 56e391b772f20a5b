import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { home } from '../desk.ts';
import { say } from '../language.ts';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { hrefOf } from '../router.ts';
import { DropZone } from './home/drop-zone.tsx';
import { LatestRuns } from './home/latest-runs.tsx';
import { Templates } from './home/templates.tsx';
import { Unfinished } from './home/unfinished.tsx';

const TITLE = t('Send a workbook to the service', 'Een werkmap naar het systeem sturen');
const OUT = t('Get a workbook out', 'Een werkmap ophalen');
const OUT_WHAT = t(
  'Packages, recipes, events, trips, stock or finance as a workbook. What you change in it can go back in.',
  'Pakketten, recepten, evenementen, ritten, voorraad of financiën als werkmap. Wat je erin wijzigt, kan weer terug.',
);
const VERSION = t('catersheet, version {version}', 'catersheet, versie {version}');
const OUT_LINK = t('To the exports', 'Naar de exports');

/** The first page: a place for a file, what isn't finished, what ran, templates and exports. */
export function HomeScreen(): JSX.Element {
  const shown = home.value;
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      <DropZone />
      {shown !== null && (
        <>
          <Unfinished drafts={shown.drafts} runs={shown.runs} />
          <div class="columns">
            <LatestRuns runs={shown.runs} />
            <div class="stack">
              <Templates kinds={shown.templates} />
              <section aria-labelledby="exports" class="tile">
                <h2 id="exports">{say(OUT)}</h2>
                <p class="dim">{say(OUT_WHAT)}</p>
                <a href={hrefOf({ page: 'export' })}>{say(OUT_LINK)}</a>
              </section>
            </div>
          </div>
          <p class="dim">{say(VERSION, { version: shown.version })}</p>
        </>
      )}
    </>
  );
}
