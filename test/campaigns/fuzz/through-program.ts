import { EXIT } from '../../../src/core/errors.ts';
import type { TestService } from '../../helpers/test-service.ts';

const ALLOWED: readonly (number | null)[] = [EXIT.ok, EXIT.usage, EXIT.file, EXIT.rows];

/** A dry run of a file by the whole program, and what is wrong with how it ended. */
export async function throughProgram(
  service: TestService,
  file: string,
): Promise<{ readonly code: number | null; readonly fault: string | undefined }> {
  const { code, stdout, stderr } = await service.run(['import', file, '--dry-run', '--json']);
  const words = `${stdout.slice(0, 2000)} ${stderr.slice(0, 2000)}`;
  if (!ALLOWED.includes(code)) return { code, fault: `program ${code}: ${words}` };
  if (/\n\s+at .*:\d+:\d+/.test(stderr)) return { code, fault: `trace: ${stderr.slice(0, 2000)}` };
  return { code, fault: isAnswer(stdout, code) ? undefined : `answer: ${words}` };
}

/** One JSON document: the plan, or one sentence with what to do next. */
function isAnswer(stdout: string, code: number | null): boolean {
  try {
    const { error, counts } = JSON.parse(stdout);
    if (error === undefined) return counts.read >= 0;
    return error.exit === code && /^\S[^\n]+\.$/.test(error.message) && error.next.length > 0;
  } catch {
    return false;
  }
}
