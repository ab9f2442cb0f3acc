import { existsSync } from 'node:fs';
import { at } from './paths.mjs';

/** The oldest Node the server and the CLI run on (`node:sqlite` without a flag). */
const oldest = [22, 13];

/**
 * The Node that everything here runs on: the one the install brought, else the current one when it is new enough.
 * @throws Error with what to do, when neither is there
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
