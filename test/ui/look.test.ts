import { Session } from './driver';

describe('look', () => {
  it('shows', async () => {
    const session = await Session.open({ size: { width: 1200, height: 800 }, theme: 'dark', scale: 1 });
    const { window } = session;
    try {
      window.page.on(
        'console',
        message =>
          /error|refused|violat/i.test(message.text()) &&
          !/404|ServiceWorker|open-vsx|ENOTFOUND/.test(message.text()) &&
          console.log('CONSOLE', message.text().slice(0, 300)),
      );
      const out = await window.run(async vscode => {
        const extension = vscode.extensions.getExtension('dueline.dueline')!;
        const api: any = await extension.activate();
        const work = await api.createList({ name: 'Work' });
        const home = await api.createList({ name: 'Home' });
        const inbox = api.lists()[0].id;
        const day = 86400000;
        const now = new Date();
        const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
        const t = (list: number, input: object) => api.createTask(list, input);
        await t(work, {
          title: 'Send the release candidate to testers and wait',
          due: today - 2 * day,
          isAllDay: true,
          priority: 1,
          tags: ['release'],
        });
        await t(inbox, { title: 'Renew the library books', due: today - day, isAllDay: true });
        const review = await t(work, { title: 'Review the storage design', due: today + 14 * 3600e3, priority: 5 });
        await t(work, { title: 'Read the crash test report', parentId: review });
        const done = await t(work, { title: 'Run it once myself', parentId: review });
        await api.completeTask(done);
        await t(home, { title: 'Water the plants', due: today, isAllDay: true, rrule: 'FREQ=WEEKLY' });
        await t(home, { title: 'Dinner with Lena', due: today + 19.5 * 3600e3, alarms: [{ minutesBefore: 30 }] });
        await t(home, { title: 'مراجعة تصميم التخزين', due: today, isAllDay: true });
        await t(home, { title: 'Groceries', due: today + 3 * day, isAllDay: true, tags: ['home', 'errand'] });
        return api.lists().map((l: any) => l.name);
      });
      console.log(out);
      await window.view();
      await window.page.waitForTimeout(1500);
      await window.rows('Work').first().click();
      await window.page.waitForTimeout(800);
      await window.shot('look-dark');
      const frame = await window.frame('dueline-widget');
      await frame.locator('.field input').fill('Call the bank tomorrow 9am #money !high');
      await window.page.waitForTimeout(600);
      await window.shot('look-chips');
      await frame.locator('.field input').press('Enter');
      await window.page.waitForTimeout(600);
      await frame.locator('.row').nth(2).hover();
      await frame.locator('.row .check').nth(2).click();
      await window.page.waitForTimeout(300);
      await window.shot('look-complete');
      await window.page.waitForTimeout(2500);
      await window.theme('light');
      await window.page.waitForTimeout(500);
      await window.shot('look-light');
      await frame.locator('.tree').focus();
      await window.page.keyboard.press('ArrowDown');
      await window.theme('hc');
      await window.page.waitForTimeout(500);
      await window.shot('look-hc');
      await window.theme('hc-light');
      await window.page.waitForTimeout(500);
      await window.shot('look-hcl');
      await window.theme('dark');
      await window.palette('Dueline: Quick Add Task');
      await window.quickText.fill('Pay rent friday 9am #home !high every month');
      await window.page.waitForTimeout(500);
      await window.shot('look-quick');
      await window.page.keyboard.press('Escape');
      await window.palette('Dueline: Show Today');
      await window.page.waitForTimeout(500);
      await window.shot('look-today-pick');
    } finally {
      await session.close();
    }
  });
});
