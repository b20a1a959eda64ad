import { t } from '../../shared/l10n';
import { withIcon } from '../../ui/withIcon';
import { type back, pickStep } from '../common/inputSteps';

/** The facts about a server that are known in advance. */
export interface Provider {
  /** Its CalDAV address; without one, the user is asked for it. */
  readonly serverUrl?: string;
  readonly addressPrompt?: string;
  readonly usernamePrompt?: string;
  readonly passwordPrompt?: string;
}

interface Line {
  readonly name: string;
  readonly detail: string;
  /** Undefined if it cannot be connected, for the reason in `detail`. */
  readonly provider: Provider | 'folder' | undefined;
}

const mailbox = (serverUrl: string, passwordPrompt?: string): Provider => ({
  serverUrl,
  usernamePrompt: t('Enter your email address'),
  ...(passwordPrompt && { passwordPrompt }),
});

const lines = (): readonly Line[] => [
  {
    name: 'Nextcloud',
    detail: t('Sign in with your browser'),
    provider: { addressPrompt: t('Enter the address of your Nextcloud, as shown in the browser') },
  },
  {
    name: 'Fastmail',
    detail: t('You need an app password with access to calendars (CalDAV).'),
    provider: mailbox(
      'https://caldav.fastmail.com/',
      t(
        'Enter an app password for CalDAV. Create it in the security settings of Fastmail; your usual password is rejected.',
      ),
    ),
  },
  {
    name: 'mailbox.org',
    detail: t('With two-factor authentication, you need an app password.'),
    provider: mailbox('https://dav.mailbox.org/'),
  },
  {
    name: 'Radicale',
    detail: t('A new user has no lists yet. Create one with New List…'),
    provider: {
      addressPrompt: t('Enter the address of your Radicale server, such as {0}', 'https://example.org:5232'),
    },
  },
  {
    name: 'iCloud',
    detail: t('Not supported: Apple no longer offers reminders over CalDAV.'),
    provider: undefined,
  },
  {
    name: t('Other CalDAV Server'),
    detail: t('Any server that stores tasks (VTODO), by its address or your email address'),
    provider: {},
  },
  {
    name: t('Folder…'),
    detail: t('Folder of .ics files synced by Syncthing, git, a network drive or vdirsyncer; no server needed'),
    provider: 'folder',
  },
];

const iconOf = ({ provider }: Line) =>
  provider === 'folder' ? 'folder' : provider === undefined ? 'circle-slash' : 'cloud';

/** Asks for a provider or a folder; for one that cannot be connected, shows why and asks again. */
export async function pickProvider(
  of: number,
  problem: string | undefined,
): Promise<Provider | 'folder' | typeof back | undefined> {
  let message = problem;
  while (true) {
    const choices = lines().map(line => ({
      ...withIcon(iconOf(line), line.name),
      detail: line.detail,
      answer: line,
    }));
    const picked = await pickStep<Line>(choices, {
      title: t('Add CalDAV Account'),
      placeholder: message ?? t('Select your provider'),
      step: 1,
      of,
      ignoreFocusOut: true,
    });
    if (picked === undefined || typeof picked === 'symbol') return picked;
    if (picked.provider) return picked.provider;
    message = `${picked.name}: ${picked.detail}`;
  }
}
