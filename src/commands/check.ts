import { checkService, checksPassed, type ServiceCheck } from '../check/check-service.ts';
import { EXIT } from '../core/errors.ts';
import { endpoints } from '../resources/endpoints.ts';
import { orStop } from '../run/stop.ts';
import type { Session } from '../session/open-session.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { withSession } from './with-session.ts';

/** `check`: is the service reachable, the token good, every lookup readable, and what does the dialect look like. */
export const checkCommand: Command<CommonFlags> = {
  builder: commonFlags,
  run: (flags) =>
    withSession(flags, async (session, view) => {
      const checks = await orStop(session.context, () => runChecks(session));
      view.showCheck(session.context.serviceName, checks);
      return checksPassed(checks) ? EXIT.ok : EXIT.service;
    }),
};

async function runChecks({ context }: Session): Promise<ServiceCheck[]> {
  const checks: ServiceCheck[] = [];
  for await (const check of checkService(context, endpoints)) checks.push(check);
  return checks;
}
