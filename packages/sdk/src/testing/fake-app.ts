/** The app that is registered at {@link fakeService}. */
export const APP = { clientId: 'app_1', clientSecret: 'plat_cs_SeCrEtClientSecret' } as const;
export const REDIRECT_URI = 'https://app.test/callback?from=plat';
