// Makes a release of what is committed: `npm run release -- [--dry-run] [--push] [--publish]`. The version and what
// is new in it are the first heading of CHANGELOG.md and its section.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm } from './npm.mjs';

const HELP = `npm run release -- [--dry-run] [--push] [--publish]

Makes a release of what is committed, of the version that CHANGELOG.md begins with:
  1  looks that nothing is left to commit and that the version is new
  2  npm cit, npm run check, npm run packed
  3  puts the version into package.json and today's date into CHANGELOG.md
  4  packs the program into release/, with its SBOM and their SHA-256
  5  commits that and tags it

  --dry-run   does 1, 2 and 4, of the version as it would be, and leaves all as it was
  --push      pushes the branch and the tag to origin
  --publish   publishes the packed program to the registry of npm

Without these two nothing leaves this machine.`;

/** What a packed program must hold, and what must not slip into it. */
const NEEDED = [
  'dist/catersheet.js',
  'dist/catersheet.licences.txt',
  'dist/index.d.ts',
  'CHANGELOG.md',
  'LICENSE',
];
const UNWANTED =
  /^(?:src|test|fixtures|node_modules|release|\.)|\.(?:db|log|tsbuildinfo)$|(?:^|\/)catersheet\.config\.json$/;
/** Files that a release changes. */
const CHANGED = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

const say = (text) => console.log(text);
const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

class Refused extends Error {}

/** The first heading of a changelog, `## 1.2.3 (…)`, and what stands below it. */
function newestIn(changelog) {
  const [heading, version] = /^## (\S+).*$/m.exec(changelog) ?? [];
  if (version === undefined || !/^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/.test(version))
    throw new Refused(`CHANGELOG.md begins with ${heading ?? 'no heading'}; a release needs ## 1.2.3 there.`);
  const [notes] = changelog.slice(changelog.indexOf(heading) + heading.length).split(/^## /m);
  if (notes.trim() === '') throw new Refused(`CHANGELOG.md says nothing of ${version}.`);
  return { heading, version, notes: notes.trim() };
}

function refuseUnfit(version) {
  const left = git('status', '--porcelain');
  if (left !== '') throw new Refused(`Commit this first, or put it away:\n${left}`);
  if (git('tag', '--list', `v${version}`) !== '')
    throw new Refused(`v${version} is there already; give CHANGELOG.md the next version.`);
}

function check() {
  for (const words of [
    ['cit', '--no-audit', '--no-fund'],
    ['run', 'check'],
    ['run', 'packed'],
  ]) {
    say(`== npm ${words.join(' ')}`);
    npm(words, { stdio: 'inherit' });
  }
}

/** Puts the version and the day where they belong. */
function writeVersion(changelog, { heading, version }, day) {
  npm(['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']);
  writeFileSync('CHANGELOG.md', changelog.replace(heading, `## ${version} (${day})`));
}

/** Packs the program and writes down what it is made of; gives the names of the files, the package first. */
function pack(folder, { version }) {
  mkdirSync(folder, { recursive: true });
  const told = npm(['pack', '--json', '--silent', '--pack-destination', folder]);
  // A build that runs before may speak too; a newer npm lists packages by their name.
  const [packed] = Object.values(JSON.parse(told.slice(told.search(/^[[{]/m))));
  const paths = packed.files.map(({ path }) => path);
  const missing = NEEDED.filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new Refused(`The package lacks ${missing.join(', ')}.`);
  const unwanted = paths.filter((path) => UNWANTED.test(path));
  if (unwanted.length > 0) throw new Refused(`The package has what nobody needs: ${unwanted.join(', ')}.`);
  if (packed.version !== version) throw new Refused(`The package is ${packed.version}, not ${version}.`);
  const bill = `${packed.name}-${version}.cdx.json`;
  writeFileSync(join(folder, bill), billOf(packed.name));
  const names = [packed.filename, bill];
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    names.map((name) => `${sumOf(join(folder, name))}  ${name}\n`).join(''),
  );
  say(`${packed.filename}: ${paths.length} files, ${Math.round(packed.size / 1024)} kB`);
  return names;
}

/** What the package is made of; npm calls it by the folder that it stands in. */
function billOf(name) {
  const bill = JSON.parse(npm(['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx']));
  bill.metadata.component.name = name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const sumOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

function commit({ version, notes }) {
  git('commit', '--all', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n\n${notes}`);
}

/** Leaves the folder as it was: nothing was left to commit before. */
const restore = () => void git('checkout', '--quiet', 'HEAD', '--', ...CHANGED);

function dryRun(changelog, release, day) {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-release-'));
  try {
    writeVersion(changelog, release, day);
    pack(folder, release);
  } finally {
    restore();
    rmSync(folder, { recursive: true, force: true });
  }
  say(
    `A release would be ${release.version} of ${day}, committed and tagged v${release.version}, with:\n\n${release.notes}`,
  );
}

function make(changelog, release, day, { push, publish }) {
  const { version } = release;
  let names;
  try {
    writeVersion(changelog, release, day);
    names = pack('release', release);
    commit(release);
  } catch (cause) {
    restore();
    throw cause;
  }
  say(`release/: ${[...names, 'SHA256SUMS'].join(', ')}\nCommitted and tagged v${version}.`);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const sending = ['push', '--atomic', 'origin', branch, `v${version}`];
  const publishing = ['publish', `./release/${names[0]}`];
  if (push) execFileSync('git', sending, { stdio: 'inherit' });
  else say(`To push it: git ${sending.join(' ')}`);
  if (publish) npm(publishing, { stdio: 'inherit' });
  else say(`To publish it: npm ${publishing.join(' ')}`);
}

function main() {
  const flag = { type: 'boolean', default: false };
  const options = { 'dry-run': flag, push: flag, publish: flag, help: { ...flag, short: 'h' } };
  const { values } = parseArgs({ options });
  if (values.help) return say(HELP);
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const release = newestIn(changelog);
  const day = new Date().toISOString().slice(0, 10);
  refuseUnfit(release.version);
  say(`${values['dry-run'] ? 'Trying a release' : 'Releasing'} of ${release.version}.`);
  check();
  if (git('status', '--porcelain') !== '') throw new Refused('The checks changed files; commit those first.');
  if (values['dry-run']) dryRun(changelog, release, day);
  else make(changelog, release, day, values);
}

try {
  main();
} catch (cause) {
  const usage = String(cause?.code).startsWith('ERR_PARSE_ARGS');
  console.error(cause instanceof Refused || usage ? cause.message : cause);
  process.exitCode = usage ? 2 : 1;
}
