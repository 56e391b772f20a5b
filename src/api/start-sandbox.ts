import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { OPTIONS } from '../options/option-table.ts';
import { checkShape } from '../options/options.ts';
import { SANDBOX_TOKEN } from '../sandbox/company.ts';
import {
  dialectSchema,
  faultsSchema,
  type RunningSandbox,
  type SandboxSettings,
} from '../sandbox/options.ts';
import { programPaths } from '../session/settings.ts';

const SHAPE = {
  data: OPTIONS.data.type,
  token: OPTIONS.token.type,
  port: OPTIONS.port.type,
  dialect: dialectSchema,
  faults: faultsSchema,
  pageSize: z.int().min(1).max(10_000),
} satisfies { readonly [Name in keyof Required<SandboxSettings>]: z.ZodType };

/**
 * Starts the sandbox on 127.0.0.1, in this process.
 * Throws StopError with EXIT.usage for wrong settings, a port that is taken or data that can't be used.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  const given = checkShape('startSandbox', SHAPE, settings);
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return await createSandbox(given);
}

/** The file of the sandbox's company: the one named, absolute, else the program's own. */
export function sandboxFile(data: string | undefined): string {
  if (data === undefined) return programPaths(process.env).sandbox;
  return data === ':memory:' ? data : resolve(data);
}

/** A token for a sandbox of its own, by which the program knows its lists. */
export const sandboxToken = (): string => `${SANDBOX_TOKEN}${randomBytes(24).toString('base64url')}`;
