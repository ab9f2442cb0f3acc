// node scripts/import-graph.mjs [--files] [folder]
// Prints the import graph of a source folder: levels, cycles and longest files, by room (folder) and, with --files, by file.
// Type-only imports count. Tests and fixtures do not.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { at } from './lib/paths.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { files: { type: 'boolean' } } });
const root = at(positionals[0] ?? 'packages/server/src');
const files = readFiles(root);

const fileGraph = new Map(files.map(({ name, imports }) => [name, imports]));
const roomGraph = graphOfRooms(fileGraph);

console.log(`${positionals[0] ?? 'packages/server/src'}: ${files.length} files, ${sumOf(files)} lines`);
printGraph('rooms', roomGraph, (room) => {
  const own = files.filter(({ name }) => roomOf(name) === room);
  return `${own.length} files, ${sumOf(own)} lines`;
});
printGraph('files', fileGraph, (name) => `${files.find((file) => file.name === name)?.lines} lines`, values.files);
console.log('\nlongest files');
for (const { name, lines } of files.toSorted((a, b) => b.lines - a.lines).slice(0, 10)) console.log(`  ${lines} ${name}`);

function readFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.m?ts$/.test(name) && !/\.(test|fixture|d)\.ts$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?'(\.[^']+\.ts)'/g)].map(([, path]) => path);
      const imports = specifiers.map((path) => posix.join(dirname(name), path));
      return { name, lines: text.split('\n').length - 1, imports: [...new Set(imports)] };
    });
}

/** A folder; a file at the root is a room of its own. */
function roomOf(name) {
  return dirname(name) === '.' ? name : dirname(name);
}

function graphOfRooms(graph) {
  const rooms = new Map();
  for (const [name, imports] of graph) {
    const room = rooms.get(roomOf(name)) ?? new Set();
    for (const path of imports) if (roomOf(path) !== roomOf(name)) room.add(roomOf(path));
    rooms.set(roomOf(name), room);
  }
  return new Map([...rooms].map(([name, imports]) => [name, [...imports]]));
}

function printGraph(title, graph, describe, isDetailed = true) {
  const { levels, cycles } = layersOf(graph);
  console.log(`\n${title}: ${Math.max(...levels.values())} levels, ${cycles.length} cycles`);
  for (const cycle of cycles) {
    console.log(`  cycle: ${cycle.join(' ↔ ')}`);
    for (const name of title === 'rooms' ? cycle : []) printImportsBetween(name, cycle);
  }
  if (!isDetailed) return;
  for (const [name, level] of [...levels].sort(([, a], [, b]) => a - b)) {
    console.log(`  ${level} ${name} (${describe(name)})`);
  }
}

/** In a cycle of rooms at least one of these imports runs upwards. */
function printImportsBetween(room, cycle) {
  for (const [name, imports] of fileGraph) {
    if (roomOf(name) !== room) continue;
    for (const path of imports) {
      if (roomOf(path) !== room && cycle.includes(roomOf(path))) console.log(`    ${name} → ${path}`);
    }
  }
}

/** Levels (1 imports nothing) and cycles, by Tarjan's strongly connected components. */
function layersOf(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const levels = new Map();
  const cycles = [];
  for (const name of graph.keys()) if (!index.has(name)) visit(name);
  return { levels, cycles };

  function visit(name) {
    index.set(name, index.size);
    low.set(name, index.get(name));
    stack.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(name, Math.min(low.get(name), low.get(next)));
    }
    if (low.get(name) !== index.get(name)) return;
    const component = stack.splice(stack.indexOf(name));
    if (component.length > 1) cycles.push(component.toSorted());
    const below = component.flatMap((member) => graph.get(member) ?? []).filter((next) => !component.includes(next));
    const level = 1 + Math.max(0, ...below.map((next) => levels.get(next) ?? 0));
    for (const member of component) levels.set(member, level);
  }
}

function sumOf(list) {
  return list.reduce((total, { lines }) => total + lines, 0);
}
