import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { at, readJson } from './paths.mjs';

const nodeFile = process.platform === 'win32' ? 'node.exe' : 'node';

/**
 * Returns the Node for all programs here: the installed one, else the current one if it is new enough.
 * @throws Error that says how to get one when neither is available
 */
export function nodeBinary() {
  const brought = broughtNode();
  if (brought !== undefined) return brought;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Error(tooOld(thisMachine()));
}

/**
 * Checks before an installation that it ends with a Node that runs here.
 * @throws Error that says how to get one
 */
export function expectNode(machine = thisMachine()) {
  if (isNewEnough(machine.version)) return;
  const { optionalDependencies } = readJson(at('package.json'));
  if (packageOf(machine) in optionalDependencies && !machine.isMusl()) return;
  throw new Error(tooOld(machine));
}

/**
 * Links the Node that npm brought, so that all programs of npm and npx run on it. Version 10 of npm, which comes with Node 20, deletes its
 * link again: it removes the commands of the refused packages for other platforms, which have the same name.
 */
export function linkNode() {
  const bin = at('node_modules', '.bin');
  const link = join(bin, nodeFile);
  // On Windows, npm writes scripts: `node` is one.
  if (existsSync(link) || existsSync(join(bin, 'node'))) return;
  const brought = broughtNode();
  if (brought === undefined) return;
  // A symbolic link needs a privilege on Windows.
  if (process.platform === 'win32') linkSync(brought, link);
  else symlinkSync(relative(bin, brought), link);
}

/** Alpine Linux and others without glibc cannot run the Node that npm brings, so it is tried before it is used. */
function broughtNode() {
  const path = at('node_modules', packageOf(process), 'bin', nodeFile);
  return existsSync(path) && spawnSync(path, ['--version']).status === 0 ? path : undefined;
}

function thisMachine() {
  const { platform, arch, versions } = process;
  return { platform, arch, version: versions.node, isMusl };
}

function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

function packageOf({ platform, arch }) {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

function tooOld({ platform, arch, version }) {
  return `Node ${version} is too old, and npm brings none that runs on this machine (${platform} ${arch}). Install Node ${oldestNode().join('.')} or later and try again.`;
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode();
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Returns the oldest Node that server and CLI support, as numbers. */
function oldestNode() {
  return readJson(at('packages', 'server', 'package.json'))
    .engines.node.match(/\d+/g)
    .map(Number);
}
