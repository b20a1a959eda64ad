/** The words of a German, a Frenchwoman, a Brazilian and an Egyptian for a server, an account, a password and sync. */
export const foreignSyncWords =
  /synchron|abgleich|konto|konten|kennwort|passwort|(?<!se )\bcomptes?\b|serveur|mot de passe|sincroniz|(?<!A próxima )\bcontas?\b|servidor|senha|مزامن|تزامن|حساب|خادم|كلمة المرور/i;
