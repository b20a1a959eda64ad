import '#flavor/extension';

export async function activate(): Promise<void> {}
