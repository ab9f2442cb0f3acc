// node scripts/import-graph.mjs [--files] [folder]
// Prints the rooms of a source folder from the lowest level to the highest, import cycles and the longest files.
// Type-only imports count; tests and fixtures do not. Exits with 1 when there is a cycle.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { files: { type: 'boolean' } } });
const [folder = 'packages/server/src'] = positionals;
const sources = readSources(resolve(folder));

console.log(`${folder}: ${describe(sources)}`);
print('rooms', roomGraph(), (room) => describe(sources.filter(({ name }) => roomOf(name) === room)));
print('files', fileGraph(), (file) => describe(sources.filter(({ name }) => name === file)), values.files ?? false);
console.log('\nlongest files');
const longest = sources.toSorted((a, b) => b.lines - a.lines).slice(0, 10);
for (const { name, lines } of longest) console.log(`  ${lines} ${name}`);

function print(title, graph, describeNode, isListed = true) {
  const { levels, cycles } = layersOf(graph);
  console.log(`\n${title}: ${Math.max(...levels.values())} levels, ${cycles.length} cycles`);
  for (const cycle of cycles) console.log(`  cycle: ${cycle.join(' ↔ ')}`);
  if (cycles.length > 0) process.exitCode = 1;
  if (!isListed) return;
  const rows = [...levels].sort(([, a], [, b]) => a - b);
  for (const [node, level] of rows) console.log(`  ${level} ${node} (${describeNode(node)})`);
}

function describe(files) {
  return `${files.length} files, ${files.reduce((total, { lines }) => total + lines, 0)} lines`;
}

function readSources(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture|d)\.ts$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(root, name), 'utf8');
      const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?'(\.[^']+\.ts)'/g)].map(([, path]) => path);
      const imports = specifiers.map((path) => posix.join(posix.dirname(name), path));
      return { name, lines: text.split('\n').length - 1, imports: [...new Set(imports)] };
    });
}

/** The room of a file: its first folder. A file outside of folders is its own room. */
function roomOf(name) {
  return name.split('/')[0];
}

function fileGraph() {
  return new Map(sources.map(({ name, imports }) => [name, imports]));
}

function roomGraph() {
  const rooms = new Map();
  for (const { name, imports } of sources) {
    const room = roomOf(name);
    const others = imports.map(roomOf).filter((other) => other !== room);
    rooms.set(room, [...new Set([...(rooms.get(room) ?? []), ...others])]);
  }
  return rooms;
}

/**
 * Levels and cycles of a graph. Level 1 imports nothing; each other node is one level above the highest it imports.
 * The cycles are its strongly connected components (Tarjan).
 */
function layersOf(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const levels = new Map();
  const cycles = [];
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return { levels, cycles };

  function visit(node) {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    const next = (graph.get(node) ?? []).filter((other) => graph.has(other));
    for (const other of next) {
      if (!index.has(other)) visit(other);
      if (stack.includes(other)) low.set(node, Math.min(low.get(node), low.get(other)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) cycles.push(component.toSorted());
    const below = component.flatMap((member) => graph.get(member) ?? []).filter((other) => !component.includes(other));
    const level = 1 + Math.max(0, ...below.map((other) => levels.get(other) ?? 0));
    for (const member of component) levels.set(member, level);
  }
}
