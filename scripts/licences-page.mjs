// Writes docs/licences.md: what comes along with the program, and under which licence.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = 'docs'] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** What the program and its page hold of others, by the licences that their builds collect. */
const held = new Set(
  ['dist/catersheet.licences.txt', 'dist/desk-page/licences.txt'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(\S+) (\d\S*) \(/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    ),
  ),
);

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const found = Object.entries(packages)
  .filter(
    ([path, { version, dev, devOptional }]) =>
      path !== '' && ((!dev && !devOptional) || held.has(`${nameOf(path)} ${version}`)),
  )
  .map(([path, { version, license }]) => {
    const name = nameOf(path);
    if (license === undefined) throw new Error(`${name} ${version} states no licence`);
    return { what: `${name} ${version}`, licence: license };
  });

const byLicence = Map.groupBy
  ? Map.groupBy(found, ({ licence }) => licence)
  : found.reduce((all, one) => all.set(one.licence, [...(all.get(one.licence) ?? []), one]), new Map());

const names = (packages) => [...new Set(packages.map(({ what }) => what))].sort().join(', ') || '–';
const rows = [...byLicence]
  .sort(([, a], [, b]) => b.length - a.length)
  .map(([licence, all]) => {
    const inside = all.filter(({ what }) => held.has(what));
    const beside = all.filter(({ what }) => !held.has(what));
    return `| ${licence} | ${names(inside)} | ${names(beside)} |`;
  });

const page = `# Licences

<!-- Made by \`npm run docs\`; change scripts/licences-page.mjs. -->

The program is under the MIT licence. What it takes from others stands here, by licence.

- **In the program**: bundled in \`dist/\`. The texts of these licences go along in \`dist/catersheet.licences.txt\`
  and, for the page, \`dist/desk-page/licences.txt\`.
- **Beside it**: put in \`node_modules\` by npm, each with its own licence. Of \`libsql\` only the part for your system.

| licence | in the program | beside it |
|---|---|---|
${rows.join('\n')}

## The bill of materials

Each release has one beside its package, \`catersheet-VERSION.cdx.json\`, with the sums of both in \`SHA256SUMS\`.
It is CycloneDX, made by \`npm sbom\` when the release is made. It names each package with version, licence, origin and sum.
`;

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'licences.md'), page);
