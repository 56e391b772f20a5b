import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { resources } from '../../src/resources/registry.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

async function help(...command: string[]): Promise<string> {
  const { code, stdout } = await runCli([...command, '--help']);
  expect(code).toBe(0);
  return stdout;
}

describe('the README and --help say the same', () => {
  it('of the commands and exit codes', async () => {
    const text = await help();
    const commands = [...text.matchAll(/^ {2}catersheet (\w+)/gm)].map((match) => match[1]);
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const command of commands) expect(readme).toContain(`### \`catersheet ${command}`);
    for (const code of Object.values(EXIT)) {
      expect(text).toMatch(new RegExp(`^ {2}${code} `, 'm'));
      expect(readme).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
    }
  });

  it.each([
    ...['import', 'export', 'check', 'template', 'sandbox'],
    ...['documents', 'invoices', 'orders', 'refresh'],
  ])('of the flags of %s', async (command) => {
    const flags = [...(await help(command)).matchAll(/--([a-z][a-z-]+)/g)].map((match) => match[1] ?? '');
    for (const flag of flags.filter((name) => !['help', 'version', 'color'].includes(name)))
      expect(readme).toContain(`--${flag}`);
  });

  it('of what a sheet may hold', () => {
    for (const resource of resources) {
      expect(readme).toContain(resource.sheet);
      expect(readme).toContain(`\`${resource.name}\``);
    }
  });
});

it('every npm script that the README names exists', () => {
  for (const [, script = ''] of readme.matchAll(/`npm run (\w+)`/g))
    expect(manifest.scripts).toHaveProperty(script);
});

it('shows what check prints', async () => {
  const [, shown] = /```\n\$ catersheet check\n([\s\S]*?)```/.exec(readme) ?? [];
  const { stdout } = await runCli(['check'], { env: { CATERSHEET_HOME: tempFolder() } });
  expect(shown).toBe(stdout);
});
