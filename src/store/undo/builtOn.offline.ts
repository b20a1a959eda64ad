/** Steps are named by their ids where programs make some: not in this flavor. */
export const refuseBuiltOn = (): void => {};
