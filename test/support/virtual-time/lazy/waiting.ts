await new Promise((resolve) => setTimeout(resolve, 60_000));

export const tea = 'tea';
