// Draws the rooms of src and which of them imports which, as docs/architecture.svg; another file with its name as argument.
// A room stands above all that it imports. An arrow that others already lead along is left out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from './read-imports.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [target = join(ROOT, 'docs/architecture.svg')] = process.argv.slice(2);

/** Files at the top that start a thread or a program belong to what they start. */
const PART_OF = { index: 'api' };
/** The way of a row, from the file to the service and back. */
const WAY = ['workbook', 'import', 'kinds', 'records', 'ledger', 'service'];

const roomOf = (path) => {
  const [first] = path.split('/');
  return dirname(path) === '.' ? first.replace(/\.ts$/, '') : first;
};

function readRooms() {
  const rooms = new Map();
  const src = join(ROOT, 'src');
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    const path = file.replaceAll('\\', '/');
    if (!/\.tsx?$/.test(path)) continue;
    const room = roomOf(path);
    // What joins rooms at the top is no room of its own.
    if (room in PART_OF) continue;
    const to = rooms.get(room) ?? new Set();
    rooms.set(room, to);
    for (const { specifier } of readImports(
      readFileSync(join(src, path), 'utf8'),
      path.endsWith('x') ? 'tsx' : 'ts',
    )) {
      const other = roomOf(posix.join(posix.dirname(path), specifier));
      const named = PART_OF[other] ?? other;
      if (named !== room) to.add(named);
    }
  }
  return rooms;
}

/** The floor of each room: one above the highest that it imports. */
function floorsOf(rooms) {
  const floors = new Map();
  const floorOf = (room) => {
    if (!floors.has(room))
      floors.set(room, 1 + Math.max(-1, ...[...(rooms.get(room) ?? [])].map((to) => floorOf(to))));
    return floors.get(room);
  };
  for (const room of rooms.keys()) floorOf(room);
  return floors;
}

/** Whether one room reaches another by way of a third. */
function reachesRound(rooms, from, to) {
  const reaches = (room) => room === to || [...(rooms.get(room) ?? [])].some(reaches);
  return [...rooms.get(from)].some((next) => next !== to && reaches(next));
}

/** Where rooms stand from left to right, so that few arrows run behind another room; any other stands in the middle. */
const COLUMNS = {
  ...{ csv: 0, xlsx: 1, ledger: 2, service: 3, openapi: 4, resources: 5, sandbox: 6, files: 1, schema: 4 },
  ...{
    workbook: 0.5,
    run: 2.5,
    records: 2,
    calls: 3.25,
    kinds: 2,
    import: 1,
    check: 2.5,
    template: 1,
    export: 1,
  },
  ...{ finance: 1.5, options: 5, session: 5.5, api: 4, cli: 4 },
};

const BOX = { width: 92, height: 30, gap: 18, rise: 62, margin: 24 };

function places(floors) {
  const highest = Math.max(...floors.values());
  const last = Math.max(...Object.values(COLUMNS));
  const width = 2 * BOX.margin + (last + 1) * (BOX.width + BOX.gap) - BOX.gap;
  const height = 2 * BOX.margin + highest * BOX.rise + BOX.height;
  const at = new Map();
  for (const [room, floor] of floors) {
    const x = BOX.margin + (COLUMNS[room] ?? last / 2) * (BOX.width + BOX.gap);
    at.set(room, { x, y: height - BOX.margin - BOX.height - floor * BOX.rise });
  }
  return { at, width, height };
}

const rooms = readRooms();
const { at, width, height } = places(floorsOf(rooms));
const middle = ({ x }) => x + BOX.width / 2;

const arrows = [...rooms]
  .flatMap(([from, all]) => [...all].filter((to) => !reachesRound(rooms, from, to)).map((to) => [from, to]))
  .sort()
  .map(([from, to]) => {
    const [a, b] = [at.get(from), at.get(to)];
    const [start, end] = [a.y + BOX.height, b.y - 5];
    const bend = (end - start) / 2;
    return `<path d="M${middle(a)} ${start}C${middle(a)} ${start + bend} ${middle(b)} ${end - bend} ${middle(b)} ${end}" marker-end="url(#head)"/>`;
  });
const boxes = [...at].sort().map(([room, place]) => {
  const look = WAY.includes(room) ? ' class="way"' : '';
  return `<g${look}><rect x="${place.x}" y="${place.y}" width="${BOX.width}" height="${BOX.height}" rx="5"/><text x="${middle(place)}" y="${place.y + 20}">${room}</text></g>`;
});

writeFileSync(
  target,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The rooms of src and what they import">
<style>
svg { background: #fff; font: 13px system-ui, sans-serif }
rect { fill: #f4f6f5; stroke: #8a9a92 }
.way rect { fill: #d9ece3; stroke: #1f6f54 }
text { text-anchor: middle; fill: #1c2521 }
path { fill: none; stroke: #9aa7a1 }
#head path { fill: #9aa7a1; stroke: none }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows.join('\n')}
${boxes.join('\n')}
</svg>
`,
);
