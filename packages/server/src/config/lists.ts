import ipaddr from 'ipaddr.js';

/** Splits a value at its commas; empty items are left out. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function readCidrs(name: string, text: string, problems: string[]): string[] {
  const cidrs = splitList(text);
  for (const cidr of cidrs) {
    if (!ipaddr.isValidCIDR(cidr))
      problems.push(`${name} holds "${cidr}", which is not a CIDR range such as 10.0.0.0/8`);
  }
  return cidrs;
}

/** Reads `name=number` pairs separated by commas. */
export function readNumbers(
  setting: string,
  text: string,
  names: readonly string[],
  problems: string[],
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {};
  for (const part of splitList(text)) {
    const [, name = '', digits = ''] = /^(\w+)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    if (!names.includes(name)) {
      problems.push(`${setting} holds "${part}"; it takes ${names.map((one) => `${one}=<number>`).join(', ')}`);
      continue;
    }
    numbers[name] = Number(digits);
  }
  return numbers;
}
