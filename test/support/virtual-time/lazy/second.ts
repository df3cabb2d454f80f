export const second = 'tea';
