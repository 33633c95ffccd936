/**
 * The demonstration: {@link holdfast.app.lab.demo.PoisonedOffices} deals the embedded Spambase to ten sources and poisons
 * three of them; {@link holdfast.app.lab.demo.Demo} trains on them in three ways and measures the models on clean rows.
 */
package holdfast.app.lab.demo;
