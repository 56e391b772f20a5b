import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { say, sayCount, sizeText } from '../../language.ts';
import { useLoaded } from '../../loaded.ts';
import { DownloadLink } from '../../pieces/button.tsx';
import { ErrorBox } from '../../pieces/error-box.tsx';

const TITLE = t('The invoices', 'De facturen');
const NONE = t('None was fetched yet.', 'Er is er nog geen opgehaald.');
const ALL = t('Download all as one zip', 'Alles als één zip downloaden');
const ONE = t('1 invoice', '1 factuur');
const OTHER = t('{n} invoices', '{n} facturen');

/** The invoices that a run fetched, to be saved one by one or as one zip. */
export function FetchedInvoices({ draft }: { readonly draft: string }): JSX.Element {
  const params = { draft };
  const { data, error, reload } = useLoaded(
    `invoices ${draft}`,
    (signal) => call('invoices', { params, signal }),
    [['runs'], ['drafts', draft]],
  );
  return (
    <section class="tile" aria-labelledby="invoices">
      <h2 id="invoices">{say(TITLE)}</h2>
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {data?.files.length === 0 && <p class="dim">{say(NONE)}</p>}
      {data !== null && data.files.length > 0 && (
        <>
          <div class="actions">
            <DownloadLink look="primary" href={addressOf('invoicesZip', { params })[1]}>
              {say(ALL)}
            </DownloadLink>
            <span class="dim figures">{sizeText(data.bytes)}</span>
          </div>
          <details open={data.files.length <= 20}>
            <summary>{sayCount(data.files.length, ONE, OTHER)}</summary>
            <ul class="beside-list">
              {data.files.map(({ name, bytes }) => (
                <li key={name}>
                  <a href={addressOf('invoice', { params: { draft, invoice: name } })[1]} download="">
                    {name}
                  </a>{' '}
                  <span class="dim figures">{sizeText(bytes)}</span>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  );
}
