/**
 * Liars, for simulations: an {@link holdfast.attack.UpdateAttack} forges what the byzantine workers send, a {@link
 * holdfast.attack.RowAttack} poisons the rows they hold. The first knows what the paper grants it: every honest update,
 * the rule, which it may try, and how many lies it tolerates. A new attack is one class here, one line in {@link
 * holdfast.attack.Attacks} and one test that extends {@code AttackContract} or {@code RowAttackContract}.
 */
package holdfast.attack;
