import type { FaultProxy } from '../../interop/support/faultProxy';
import { Peer } from '../../interop/support/peer';
import { type Server, startRadicale } from '../../interop/support/servers';
import type { PasswordFront } from '../../page/support/edges';
import { Session, type SessionOptions } from './driver';
import { connect } from './engine';
import type { Window } from './window';

/** The proxy between the window and the server. */
type Front = FaultProxy | PasswordFront;

/** The world of a window test of sync: a server with the list Errands, a front before it, and a window. */
export interface Home<F extends Front> {
  server: Server;
  front: F;
  /** Another program, with Errands in view. */
  peer: Peer;
  session: Session;
  window: Window;
  close(): Promise<void>;
}

interface HomeOptions<F extends Front> extends SessionOptions {
  front: (server: Server) => Promise<F>;
  /** Puts lists and tasks onto the server before the window opens. */
  fill: (peer: Peer, server: Server) => Promise<unknown>;
  /** The account's name; null: the test adds it. */
  account?: string | null;
}

/** The window is dark and signed in; it syncs when it is asked to, unless the settings differ. */
export async function openHome<F extends Front>({ front: start, fill, ...options }: HomeOptions<F>): Promise<Home<F>> {
  const { account = 'Home server', size = { width: 1100, height: 760 }, settings } = options;
  const server = await startRadicale();
  let front: F | undefined;
  let session: Session | undefined;
  const close = async () => {
    await session?.close();
    await front?.stop();
    await server.stop();
  };
  try {
    front = await start(server);
    const peer = new Peer(server, '/anna/errands/');
    await fill(peer, server);
    const quiet = { 'dueline.sync.intervalMinutes': 0, ...settings };
    session = await Session.open({ theme: 'dark', ...options, size, settings: quiet });
    const { window } = session;
    if (account !== null) {
      const { url, username, password } = 'login' in front ? front.login : { ...server, url: front.url };
      await connect(window, { url, username, password }, account);
    }
    await window.view();
    if (account !== null) await window.rows('Errands').first().waitFor({ timeout: 60_000 });
    return { server, front, peer, session, window, close };
  } catch (error) {
    await session?.window.shot('no-home').catch(() => undefined);
    await close();
    throw error;
  }
}
