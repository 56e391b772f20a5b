import cronParser from 'cron-parser';

/** The last moment up to another one that a cron text means. Throws an error where it means none. */
export const lastDue = (cron: string, zone: string, at: Date): Date =>
  cronParser
    .parseExpression(cron, { tz: zone, currentDate: new Date(at.getTime() + 1) })
    .prev()
    .toDate();

/** The next moment that a cron text means after a moment. Throws an error where it means none. */
export const nextDue = (cron: string, zone: string, at: Date): Date =>
  cronParser.parseExpression(cron, { tz: zone, currentDate: at }).next().toDate();
