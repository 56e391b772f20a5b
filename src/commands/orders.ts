import type { Argv } from 'yargs';
import { exitCodeOfCalls } from '../calls/calls.ts';
import { earlierSending, type OrdersRequest, sendOrders } from '../calls/send-orders.ts';
import { EXIT, type ExitCode } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';
import { generalEndpoints } from '../resources/general.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { wrongUsage } from './usage.ts';
import { withSession } from './with-session.ts';

interface OrdersFlags extends CommonFlags {
  readonly ids: readonly string[];
  readonly all: boolean;
  readonly again: boolean;
  readonly yes: boolean;
}

function builder(argv: Argv): Argv<OrdersFlags> {
  return commonFlags(argv)
    .positional('action', { choices: ['send'] as const, describe: 'What to do with them' })
    .positional('ids', { type: 'string', array: true, default: [], describe: 'Numbers of purchase orders' })
    .option('all', { type: 'boolean', default: false, describe: 'All that the service has to send' })
    .option('again', {
      type: 'boolean',
      default: false,
      describe: 'Also what was sent before, or may have been, deliberately',
    })
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Send without asking' })
    .example('$0 orders send 881 882', 'send two purchase orders over EDI') as unknown as Argv<OrdersFlags>;
}

/** `orders send ID…|--all`: sends purchase orders over EDI, each at most once by itself. */
export const ordersCommand: Command<OrdersFlags> = {
  builder,
  run(flags) {
    const ids = toSend(flags);
    return withSession(flags, (session, view) => runOrders(flags, ids, session, view), 'wait', goOn(flags));
  },
};

/** What was sent is known; with --again or --all it would go once more all the same. */
const goOn = ({ again, all }: OrdersFlags) => (again || all ? LOOK : GO_ON);

const GO_ON = t(
  'Give the same command again to go on: an order that was sent is not sent again.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: een order die verstuurd is, gaat niet nog eens.',
);

const LOOK = t(
  'See in the list which orders were sent: the same command would send them once more.',
  'Zie in de lijst welke orders verstuurd zijn: dezelfde opdracht zou ze nog eens versturen.',
);

function toSend({ ids, all }: OrdersFlags): OrdersRequest['ids'] {
  if (all === ids.length > 0)
    throw wrongUsage(
      t('Name purchase orders, or --all.', 'Noem inkooporders, of --all.'),
      t('As in orders send 881 882.', 'Zoals in orders send 881 882.'),
    );
  return all ? 'all' : wholeIds(ids);
}

/** Numbers given as words; throws StopError for one that is none. */
export function wholeIds(ids: readonly string[]): string[] {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong === undefined) return ids.map((id) => String(Number(id)));
  throw wrongUsage(t(`${wrong} is no number.`, `${wrong} is geen nummer.`));
}

async function runOrders(
  { yes, json, again }: OrdersFlags,
  ids: OrdersRequest['ids'],
  { context, logFile }: Session,
  view: View,
): Promise<ExitCode> {
  if (!yes) {
    const before = ids === 'all' ? (await earlierSending(context, ids))?.at : undefined;
    if (process.stdin.isTTY !== true || json !== undefined) throw nobodyToAsk();
    if (!(await view.ask(question(ids, context.serviceName, before), context.signal))) {
      view.note(WORDS.declined);
      return EXIT.ok;
    }
  }
  const result = await sendOrders(context, generalEndpoints, { ids, again });
  view.showCalls(result);
  if (result.stopped !== null) view.stop(result.stopped, logFile);
  return exitCodeOfCalls(result);
}

const nobodyToAsk = () =>
  wrongUsage(
    t(
      'Purchase orders would be sent, and there is no terminal to ask on.',
      'Er zouden inkooporders worden verstuurd, en er is geen terminal om het te vragen.',
    ),
    t('Add --yes to send them.', 'Voeg --yes toe om ze te versturen.'),
  );

function question(ids: OrdersRequest['ids'], service: string, before: string | undefined): Bilingual {
  const [en, nl] =
    before === undefined ? ['', ''] : [` (last done at ${before})`, ` (laatst gedaan om ${before})`];
  if (ids === 'all')
    return t(
      `Send all purchase orders that ${service} has to send${en}? [y/N] `,
      `Alle inkooporders versturen die ${service} te versturen heeft${nl}? [j/N] `,
    );
  const named = ids.join(', ');
  return t(
    `Send ${ids.length === 1 ? 'purchase order' : 'purchase orders'} ${named} through ${service}? [y/N] `,
    `${ids.length === 1 ? 'Inkooporder' : 'Inkooporders'} ${named} versturen via ${service}? [j/N] `,
  );
}
