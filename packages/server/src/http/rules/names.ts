import { domainToASCII } from 'node:url';
import { ID_PATTERN, ID_PREFIXES, type IdKind, isId, LIMITS } from '@plat/contract';
import Joi from 'joi';
import { hasAsciiLookalike } from '../../kernel/mail-address.ts';
import { of, type Rule } from './rule.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slug = (): Rule<string> =>
  of(
    Joi.string()
      .max(LIMITS.slug.max)
      .pattern(SLUG, 'slug')
      .messages({ 'string.pattern.name': 'must be lower-case letters and digits, with single hyphens between' }),
    { type: 'string', minLength: 1, maxLength: LIMITS.slug.max, pattern: SLUG.source, examples: ['acme'] },
  );

/** A host name of at least two labels, in the ASCII form; others are turned into it. */
export const domain = (): Rule<string> =>
  of(
    Joi.string()
      .max(253)
      .custom((given: string, helpers) => asciiDomain(given) ?? helpers.error('domain.invalid'))
      .messages({ 'domain.invalid': 'must be a domain such as shop.example.com' }),
    // No format: it would refuse the names in other scripts that are taken.
    { type: 'string', minLength: 3, maxLength: 253, examples: ['shop.example.com'] },
  );

function asciiDomain(given: string): string | undefined {
  // The URL standard's host parser would cut a path off in silence.
  const ascii = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given).toLowerCase() : '';
  const isDomain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(
    ascii,
  );
  return isDomain ? ascii : undefined;
}

export const id = (kind: IdKind): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => (isId(kind, given) ? given : helpers.error('id.invalid')))
      .messages({ 'id.invalid': `must be an id of the form ${ID_PREFIXES[kind]}_…` }),
    {
      type: 'string',
      pattern: `^${ID_PREFIXES[kind]}_${ID_PATTERN}$`,
      description: `Id of the ${kind.replaceAll('_', ' ')}.`,
      examples: [`${ID_PREFIXES[kind]}_01k0z8k3v7e5q2m9t4r6w1x8c0`],
    },
  );

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
/** The address of a mailbox, in any script, trimmed; its case is kept. Comments, quotes and addresses of machines are not taken. */
export const email = (): Rule<string> =>
  of(
    Joi.string()
      .trim()
      .max(LIMITS.email.max)
      .custom((given: string, helpers) => {
        const [local = '', host = '', ...more] = given.split('@');
        // RFC 5321 dot-atoms, and the other scripts of RFC 6531; never what could end a header or hide in it.
        const isLocal =
          local.length <= 64 && /^[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+(?:\.[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+)*$/u.test(local);
        // U+212A and its like would be folded into ASCII letters by others: two mailboxes that look like one.
        const isDistinct = !hasAsciiLookalike(local);
        return more.length === 0 && isLocal && isDistinct && asciiDomain(host) !== undefined
          ? given
          : helpers.error('email.invalid');
      })
      .messages({ 'email.invalid': 'must be an e-mail address such as ada@example.com' }),
    // No format: it would refuse the names in other scripts that are taken.
    { type: 'string', minLength: 6, maxLength: LIMITS.email.max, pattern: EMAIL.source, examples: ['ada@example.com'] },
  );

const ROLE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** The name of a role, built in or the tenant's own. */
export const roleName = (): Rule<string> =>
  of(
    Joi.string().max(LIMITS.slug.max).pattern(ROLE_NAME, 'role').messages({
      'string.pattern.name': 'must be lower-case letters, digits and single underscores, beginning with a letter',
    }),
    { type: 'string', minLength: 1, maxLength: LIMITS.slug.max, pattern: ROLE_NAME.source, examples: ['member'] },
  );

const CAPABILITY = /^[a-z][a-z0-9_-]*(?:[.:][a-z0-9_-]+)*$/;
/** The id of something that a module can do. */
export const capability = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .pattern(CAPABILITY, 'capability')
      .messages({ 'string.pattern.name': 'must be the id of a capability such as analytics:read' }),
    { type: 'string', minLength: 1, maxLength: 64, pattern: CAPABILITY.source, examples: ['analytics:read'] },
  );

const DOTTED_VERB = /^[a-z_]+(?:\.[a-z_]+)+$/;
/** What the audit trail calls a change: `client.updated`. */
export const dottedVerb = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .pattern(DOTTED_VERB, 'verb')
      .messages({ 'string.pattern.name': 'must be an action such as client.updated' }),
    { type: 'string', minLength: 3, maxLength: 64, pattern: DOTTED_VERB.source },
  );

/** An id of whatever kind. */
export const anyId = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) =>
        ALL_ID_KINDS.some((kind) => isId(kind, given)) ? given : helpers.error('id.invalid'),
      )
      .messages({ 'id.invalid': 'must be an id' }),
    {
      type: 'string',
      pattern: `^(?:${Object.values(ID_PREFIXES).join('|')})_${ID_PATTERN}$`,
      examples: ['usr_01k0z8k3v7e5q2m9t4r6w1x8c0'],
    },
  );

const ALL_ID_KINDS = Object.keys(ID_PREFIXES) as IdKind[];
