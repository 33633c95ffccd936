/**
 * Liars, for simulations: an {@link holdfast.attack.UpdateAttack} forges what the byzantine workers send. It knows what
 * the paper grants it: every honest update, the rule and the budget. A new attack is one class here, one line in
 * {@link holdfast.attack.Attacks} and one test that extends {@code AttackContract}.
 */
package holdfast.attack;
