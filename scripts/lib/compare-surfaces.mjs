/** @typedef {{ readonly kind: 'never' | 'breaking' | 'addition', readonly text: string }} Difference */

/**
 * Compares a surface with that of the last release. `never`: error codes and event types are only added, in any version. `breaking`:
 * a program that works with the release may fail. `addition`: everything else that is new.
 * @returns {Difference[]}
 */
export function compareSurfaces(before, after) {
  return [
    ...missing(before.codes, after.codes).map((code) => never(`the error code ${code} is gone`)),
    ...missing(before.events, after.events).map((type) => never(`the event type ${type} is gone`)),
    ...missing(after.codes, before.codes).map((code) => addition(`the error code ${code}`)),
    ...missing(after.events, before.events).map((type) => addition(`the event type ${type}`)),
    ...compareOperations(before.operations, after.operations),
    ...compareAccepted(before, after),
    ...compareReturned(before, after),
    ...compareExports(before.exports, after.exports),
  ];
}

const BUMPS = ['none', 'patch', 'minor', 'major', 'never'];

/** Returns the part of the version that differences raise. Below 1.0.0 a minor version may break users, as semver says. */
export function bumpNeeded(differences, version) {
  const kinds = new Set(differences.map(({ kind }) => kind));
  if (kinds.has('never')) return 'never';
  const [breaks, adds] = version.startsWith('0.') ? ['minor', 'patch'] : ['major', 'minor'];
  return kinds.has('breaking') ? breaks : kinds.has('addition') ? adds : 'none';
}

/** Returns true if one of the announced bumps is as large as the needed one. */
export function isEnough(needed, announced) {
  return Math.max(0, ...announced.map((bump) => BUMPS.indexOf(bump))) >= BUMPS.indexOf(needed);
}

const never = (text) => ({ kind: 'never', text });
const breaking = (text) => ({ kind: 'breaking', text });
const addition = (text) => ({ kind: 'addition', text });
const missing = (from, within) => from.filter((each) => !within.includes(each));

function compareOperations(before, after) {
  return [
    ...Object.entries(before).flatMap(([name, fact]) => {
      const now = after[name];
      if (!now) return [breaking(`${name} is gone`)];
      return missing(Object.keys(fact), Object.keys(now))
        .map((status) => breaking(`${name} no longer responds ${status}`))
        .concat(now.scope === fact.scope ? [] : [breaking(`${name} needs ${now.scope}, not ${fact.scope}`)])
        .concat(now.id === fact.id ? [] : [breaking(`${name} is ${now.id}, not ${fact.id}`)]);
    }),
    ...missing(Object.keys(after), Object.keys(before)).map(addition),
  ];
}

/** A request that was accepted has to be accepted. */
function compareAccepted(before, after) {
  const found = [];
  for (const [place, fact] of Object.entries(before.accepts)) {
    const now = after.accepts[place];
    if (!now) {
      found.push(breaking(`${place} is no longer accepted`));
      continue;
    }
    if (now.required && !fact.required) found.push(breaking(`${place} is required`));
    if (hasLess(fact.types, now.types)) found.push(breaking(`${place} accepts ${now.types}, not ${fact.types}`));
    if (hasLess(fact.values, now.values)) found.push(breaking(`${place} accepts fewer values: ${now.values}`));
    for (const limit of NARROWER.filter(({ name, isNarrower }) => isNarrower(fact[name], now[name]))) {
      found.push(breaking(`${place} has the ${limit.name} ${now[limit.name]}, not ${fact[limit.name]}`));
    }
  }
  for (const place of missing(Object.keys(after.accepts), Object.keys(before.accepts))) {
    const owner = ownerOf(place);
    const isNewOwner = !(owner in before.accepts) && !(owner in before.operations);
    if (isNewOwner) continue;
    const isRequired = after.accepts[place].required;
    found.push(isRequired ? breaking(`${place} is new and required`) : addition(`${place} is accepted`));
  }
  return found;
}

/** Each field of a response has to stay, and nothing may be there that the types of the release exclude. */
function compareReturned(before, after) {
  const found = [];
  for (const [place, fact] of Object.entries(before.returns)) {
    const now = after.returns[place];
    if (!now) {
      found.push(breaking(`${place} is no longer returned`));
      continue;
    }
    if (fact.required && !now.required) found.push(breaking(`${place} can be absent`));
    const added = missing(now.types, fact.types);
    const isAny = now.types.length === 0;
    if (fact.types.length > 0 && (isAny || added.length > 0)) {
      found.push(breaking(`${place} can be ${isAny ? 'anything' : added}`));
    }
    const values = missing(now.values ?? [], fact.values ?? []);
    if (fact.values && !now.values) found.push(addition(`${place} can have any value`));
    if (fact.values && values.length > 0) found.push(addition(`${place} can be ${values}`));
  }
  for (const place of missing(Object.keys(after.returns), Object.keys(before.returns))) {
    const owner = ownerOf(place);
    if (owner in before.returns || owner in before.operations) found.push(addition(`${place} is returned`));
  }
  return found;
}

function compareExports(before, after) {
  return [
    ...Object.entries(before).flatMap(([entry, names]) =>
      entry in after
        ? missing(names, after[entry]).map((name) => breaking(`${entry} does not export ${name}`))
        : [breaking(`${entry} is gone`)],
    ),
    ...Object.entries(after).flatMap(([entry, names]) =>
      missing(names, before[entry] ?? []).map((name) => addition(`${entry} exports ${name}`)),
    ),
  ];
}

/** The place that has this one: `Client` of `Client.name`, `GET /v1/clients` of `GET /v1/clients query.limit`. */
function ownerOf(place) {
  return /^([A-Z]+ \S+) /.exec(place)?.[1] ?? place.replace(/(\.[^.[{|]+|\[\]|\{\}|\|\d+)$/, '');
}

/** Any value is less than none: it excludes others. */
const hasLess = (before, now) =>
  now !== undefined &&
  now.length > 0 &&
  (before === undefined || before.length === 0 || missing(before, now).length > 0);

const isSmaller = (before, now) => now !== undefined && (before === undefined || now < before);
const isLarger = (before, now) => now !== undefined && (before === undefined || now > before);
const isOther = (before, now) => now !== undefined && now !== before;
const NARROWER = [
  ...['maxLength', 'maximum', 'maxItems'].map((name) => ({ name, isNarrower: isSmaller })),
  ...['minLength', 'minimum', 'minItems'].map((name) => ({ name, isNarrower: isLarger })),
  ...['pattern', 'format', 'not', 'closed'].map((name) => ({ name, isNarrower: isOther })),
];
