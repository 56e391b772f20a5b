import { Hono } from 'hono';
import { t } from '../../core/language.ts';
import { answerRoutes } from './answering.ts';
import { askedLanguage } from './asked-language.ts';
import { callRoutes } from './call-routes.ts';
import type { Desk } from './desk.ts';
import { draftBesideRoutes } from './draft-beside-routes.ts';
import { draftPlanRoutes } from './draft-plan-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { exportRoutes } from './export-routes.ts';
import { type DeskGate, fromOwnPage, NO_SESSION, ownHeaders, withSession } from './guard.ts';
import { homeRoutes } from './home-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { servePage } from './page-files.ts';
import { failed, LANGUAGE, NotFound, refusal } from './refusal.ts';
import { runRoutes } from './run-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { workerRoutes } from './workers.ts';

/** The page and what answers it. Whoever has no session gets the page's files alone. */
export function deskApp(desk: Desk, gate: DeskGate, checksAnswers = false): Hono {
  const app = new Hono();
  app.use(ownHeaders);
  app.use(async (context, next) => {
    context.set(LANGUAGE as never, desk.language as never);
    await next();
  });
  app.use(fromOwnPage(gate));
  servePage(app);
  answerRoutes(app, {
    exchangeKey: async ({ context, body }) => {
      const session = gate.keys.exchange(body.key);
      if (session === null) return refusal(context, 401, NO_SESSION);
      desk.hear(askedLanguage(context));
      return { session };
    },
  });
  app.use('/api/*', withSession(gate));
  answerRoutes(app, { ticket: async ({ body }) => ({ ticket: gate.keys.ticketFor(body.address) }) });
  app.use('/api/*', async (_, next) => await desk.users.during(next));
  const routes = {
    ...homeRoutes(desk),
    ...draftRoutes(desk),
    ...draftPlanRoutes(desk),
    ...draftBesideRoutes(desk),
    ...jobRoutes(desk),
    ...runRoutes(desk),
    ...exportRoutes(desk),
    ...workerRoutes(desk),
    ...callRoutes(desk),
    ...serviceRoutes(desk),
  };
  answerRoutes(app, routes, checksAnswers);
  app.notFound((context) => failed(context, new NotFound(t('page', 'pagina'))));
  app.onError((error, context) => failed(context, error));
  return app;
}
