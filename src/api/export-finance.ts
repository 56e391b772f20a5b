import {
  type FinanceDocument,
  financeDocument,
  financeRequest,
  exportFinance as runFinance,
} from '../finance/export-finance.ts';
import { finance } from '../resources/finance.ts';
import { checkOptions } from './check-options.ts';
import { type ProgramOptions, withSession } from './with-session.ts';

/** Everything `catersheet export finance` can be told, as options. */
export interface ExportFinanceOptions extends ProgramOptions {
  /** The first and the last day, such as `2026-11-01`. */
  readonly from: string;
  readonly to: string;
  /** All events, not the definitive ones alone. */
  readonly all?: boolean;
  /** A workbook; named after the period, in the folder where the program runs, when absent. */
  readonly out?: string;
  /** A file that is there already is replaced. */
  readonly overwrite?: boolean;
}

/**
 * Writes what a period came to as one workbook: an overview of formulas with a chart, events, arrangements, trips, the stock mutations
 * that this program sent, and a manifest. Resolves to what `catersheet export finance --json` prints; amounts are decimals in text.
 * Throws StopError; a file that was there is then as it was.
 */
export async function exportFinance(options: ExportFinanceOptions): Promise<FinanceDocument> {
  checkOptions('export', options);
  return await withSession(options, undefined, async ({ context, settings }) => {
    const { lang: language, locale } = settings;
    const request = financeRequest(options, { locale, language });
    const { overwrite = false } = options;
    const result = await runFinance(context, { ...request, definition: finance, overwrite, language });
    return financeDocument(result, language);
  });
}
