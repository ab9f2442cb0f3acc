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
  return comparePlaces(before, after, 'accepts', {
    word: 'accepted',
    changed: (place, fact, now) => [
      ...(now.required && !fact.required ? [breaking(`${place} is required`)] : []),
      ...(hasLess(fact.types, now.types) ? [breaking(`${place} accepts ${now.types}, not ${fact.types}`)] : []),
      ...(hasLess(fact.values, now.values) ? [breaking(`${place} accepts fewer values: ${now.values}`)] : []),
      ...NARROWER.filter(({ name, isNarrower }) => isNarrower(fact[name], now[name])).map(({ name }) =>
        breaking(`${place} has the ${name} ${now[name]}, not ${fact[name]}`),
      ),
    ],
    added: (place, { required }) =>
      required ? breaking(`${place} is new and required`) : addition(`${place} is accepted`),
  });
}

/** Each field of a response has to stay, and nothing may be there that the types of the release exclude. */
function compareReturned(before, after) {
  return comparePlaces(before, after, 'returns', {
    word: 'returned',
    changed: (place, fact, now) => {
      const types = now.types.length === 0 ? ['anything'] : missing(now.types, fact.types);
      const values = now.values ? missing(now.values, fact.values ?? []) : ['any value'];
      return [
        ...(fact.required && !now.required ? [breaking(`${place} can be absent`)] : []),
        ...(fact.types.length > 0 && types.length > 0 ? [breaking(`${place} can be ${types}`)] : []),
        ...(fact.values && values.length > 0 ? [addition(`${place} can be ${values}`)] : []),
      ];
    },
    added: (place) => addition(`${place} is returned`),
  });
}

/** Compares the places of requests or of responses. A new route or schema has no differences in its places. */
function comparePlaces(before, after, direction, { word, changed, added }) {
  const [known, now] = [before[direction], after[direction]];
  const isOfKnownOwner = (place) => ownerOf(place) in known || ownerOf(place) in before.operations;
  return [
    ...Object.entries(known).flatMap(([place, fact]) =>
      place in now ? changed(place, fact, now[place]) : [breaking(`${place} is no longer ${word}`)],
    ),
    ...missing(Object.keys(now), Object.keys(known))
      .filter(isOfKnownOwner)
      .map((place) => added(place, now[place])),
  ];
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
