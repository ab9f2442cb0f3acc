import OAuth2Strategy from 'passport-oauth2';
import type { ClientTokens, ClientWorld, OAuthClient } from './client.ts';

/** Outcomes that Passport gives a strategy for one request (passport-strategy, "Augmented methods"). */
type Outcome =
  | { readonly redirect: string }
  | { readonly user: ClientTokens }
  | { readonly failure: unknown }
  | { readonly error: unknown };

/** A strategy as the documentation describes: it overrides `userProfile` and uses `_oauth2`. */
class PlatStrategy extends OAuth2Strategy {
  // Not #private: Passport works on an object made from the strategy.
  private readonly baseUrl: string;

  constructor({ baseUrl, app, scopes }: ClientWorld) {
    super(
      {
        authorizationURL: `${baseUrl}/oauth/authorize`,
        tokenURL: `${baseUrl}/oauth/token`,
        clientID: app.appId,
        clientSecret: app.clientSecret,
        callbackURL: app.redirectUri,
        scope: [...scopes],
        state: true,
        pkce: true,
      },
      (accessToken, refreshToken, _profile, done) => done(null, { accessToken, refreshToken }),
    );
    // By default it puts the token into the query, which RFC 9700 (section 4.3.2) forbids and the server refuses.
    this._oauth2.useAuthorizationHeaderforGET(true);
    this.baseUrl = baseUrl;
  }

  override userProfile(accessToken: string, done: (error: unknown, profile?: unknown) => void): void {
    this._oauth2.get(`${this.baseUrl}/v1/me`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(body ?? '')),
    );
  }

  /** As in passport-oauth2-refresh. */
  refresh(refreshToken: string): Promise<ClientTokens> {
    return new Promise((resolve, reject) => {
      this._oauth2.getOAuthAccessToken(refreshToken, { grant_type: 'refresh_token' }, (error, access, next) => {
        if (error) reject(this.parseErrorResponse(error.data, error.statusCode));
        else resolve({ accessToken: access ?? '', refreshToken: next ?? '' });
      });
    });
  }
}

/** Runs the strategy as Passport does, with the session of one browser. */
export function passportOAuth2(world: ClientWorld): OAuthClient {
  const strategy = new PlatStrategy(world);
  const session = {};
  /** A callback consumes state and verifier. A browser that returns a second time still sends them. */
  let kept = {};

  const authenticate = (query: Readonly<Record<string, string>>) =>
    new Promise<Outcome>((resolve) => {
      Object.assign(Object.create(strategy), {
        redirect: (redirect: string) => resolve({ redirect }),
        success: (user: ClientTokens) => resolve({ user }),
        fail: (failure: unknown) => resolve({ failure }),
        error: (error: unknown) => resolve({ error }),
      }).authenticate({ query, session }, {});
    });

  return {
    async begin() {
      const outcome = await authenticate({});
      if (!('redirect' in outcome)) throw new Error('it sends the browser nowhere');
      kept = structuredClone(session);
      return outcome.redirect;
    },
    async finish(callback) {
      Object.assign(session, structuredClone(kept));
      const outcome = await authenticate(Object.fromEntries(new URL(callback).searchParams));
      if ('user' in outcome) return outcome.user;
      throw 'error' in outcome ? outcome.error : new Error(JSON.stringify(outcome));
    },
    me: (accessToken) =>
      new Promise((resolve, reject) => {
        strategy.userProfile(accessToken, (error, profile) => (error ? reject(error) : resolve(profile)));
      }),
    refresh: (refreshToken) => strategy.refresh(refreshToken),
    errorOf: (thrown) => (thrown instanceof OAuth2Strategy.TokenError ? thrown.code : undefined),
  };
}
