// A program that sends as much as it may, with a pace that it shares by a ledger in a database.
import { subscribe } from 'node:diagnostics_channel';
import { pino } from 'pino';
import { systemTime } from '../../../dist/core/time.js';
import { openAnyLedger } from '../../../dist/ledger/open-ledger.js';
import { packages } from '../../../dist/resources/packages.js';
import { openService } from '../../../dist/service/service.js';
import { SharedPace, spacingOf } from '../../../dist/service/shared-pace.js';

// Whoever looks at the pace wants to know when a request was sent, and not when somebody heard of it.
subscribe('undici:request:create', ({ request }) => {
  request.addHeader('x-sent', String(performance.timeOrigin + performance.now()));
});

const BODY = { ProductTypeID: 1, OmschrijvingIntern: 'Kerstbuffet', Verkoopprijs: 34.5 };
const {
  ledger: place,
  baseUrl,
  name,
  rate,
  concurrency,
  local = 8,
  senders = local,
} = JSON.parse(process.argv[2]);
const opened = await openAnyLedger(place, systemTime);
const spacing = rate && spacingOf(rate);
const source = await opened.joinPace({ service: 'service', spacing, concurrency });
const shared = new SharedPace(source, concurrency);
const service = openService({
  ...{
    baseUrl,
    token: name,
    concurrency: local,
    rate,
    timeout: 30_000,
    retries: 50,
    shared,
    time: systemTime,
  },
  log: pino({ level: 'silent' }),
});
console.log('ready');
let ended = false;
process.on('SIGTERM', () => {
  ended = true;
});
await Promise.all(
  Array.from({ length: senders }, async () => {
    while (!ended)
      await service.send(packages.requests.create, { body: BODY }).catch((error) => {
        if (!ended) console.error(error.message);
        ended = true;
      });
  }),
);
await service.close();
await shared.close();
await source.leave();
await opened.ledger.close();
