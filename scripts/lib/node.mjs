import { existsSync } from 'node:fs';
import { at } from './paths.mjs';

/** Oldest Node that server and CLI support (`node:sqlite` without a flag). */
const oldest = [22, 13];

/**
 * Returns the Node for all programs here: the installed one, else the current one if it is new enough.
 * @throws Error that says how to get one when neither is available
 */
export function nodeBinary() {
  const brought = broughtNode();
  if (brought !== undefined) return brought;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Error(
    `Node ${process.versions.node} is too old and no newer one came with the install for ${process.platform} ${process.arch}. Install Node ${oldest.join('.')} or later and try again.`,
  );
}

function broughtNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = at('node_modules', `node-${system}-${process.arch}`, 'bin', file);
  return existsSync(path) ? path : undefined;
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}
